"""What a practice model says, as an OpenAI chat completion."""

import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

from evaluation.practice.behaviours import Behaviour
from evaluation.practice.reading import read_prompt
from evaluation.prompts.tokens import PER_MESSAGE, estimated_tokens
from evaluation.sample21.keyword import keyword_query
from evaluation.sample21.query_text import query_text

REFUSAL: Final = "I am sorry, I cannot help with that."
WRONG_KEY: Final = "Incorrect API key provided. The practice endpoint's key is in its documentation."


def completion(model: str, behaviour: Behaviour, messages: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The body of a good answer; tokens are counted with our own estimate, so bills can be checked to the unit."""
    text, finish = _text(behaviour, messages)
    prompt_tokens = sum(PER_MESSAGE + estimated_tokens(str(message.get("content", ""))) for message in messages)
    completion_tokens = estimated_tokens(text)
    return {
        "id": "chatcmpl-practice",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": model,
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}],
        "usage": {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": completion_tokens,
            "total_tokens": prompt_tokens + completion_tokens,
        },
    }


def _text(behaviour: Behaviour, messages: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    match behaviour:
        case Behaviour.REFUSING:
            return REFUSAL, "stop"
        case Behaviour.FILTERED:
            return "", "content_filter"
        case Behaviour.EMPTY:
            return "", "stop"
    prompt = read_prompt(messages)
    if not prompt.cards:
        return "There is no database in this prompt.", "stop"
    query = query_text(keyword_query(prompt.question, prompt.evidence, prompt.cards))
    return f"```javascript\n{query}\n```", "stop"


def error_body(message: str, kind: str) -> dict[str, Any]:
    """An error as OpenAI-compatible endpoints write it."""
    return {"error": {"message": message, "type": kind, "param": None, "code": kind}}
