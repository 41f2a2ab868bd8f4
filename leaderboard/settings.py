"""Django's settings: one file for development, tests and production; the environment tells them apart."""

from pathlib import Path

from csp.constants import NONE, SELF
from django.contrib.messages import constants as levels

from evaluation.embedded.home import home
from evaluation.types import Condition
from leaderboard import env
from leaderboard.account_settings import *  # noqa: F403 (Django reads settings from one module)

BASE_DIR = Path(__file__).resolve().parent.parent

DEBUG = env.flag("DEBUG")
# A site on one's own machine: plain http, a secret key made once, static files as they lie.
LOCAL = env.flag("APTBOARD_LOCAL", default=DEBUG)
SECRET_KEY = env.secret_key(local=LOCAL, base=home())
# Encrypts the API keys that submitters lend to the site: Fernet keys, the newest first.
ENDPOINT_KEYS = env.endpoint_keys(local=LOCAL, base=home())
# Old keys, while they are being replaced: sessions, and signatures of webhooks, stay valid.
SECRET_KEY_FALLBACKS = env.words("SECRET_KEY_FALLBACKS")
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", default="localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "csp",
    "rest_framework",
    "drf_spectacular",
    "leaderboard",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "leaderboard.web.middleware.RequestIdMiddleware",
    "leaderboard.web.middleware.PrivateAnswersMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "leaderboard.urls"
WSGI_APPLICATION = "leaderboard.wsgi.application"
ASGI_APPLICATION = "leaderboard.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DATABASE_URL = env.text("DATABASE_URL", default="postgresql://aptboard@localhost:5432/aptboard")
DATABASES = {"default": env.database_address(DATABASE_URL).as_settings()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = env.text("REDIS_URL", default="redis://localhost:6379/0")
CACHES = {
    "default": {
        "BACKEND": "leaderboard.cache.ForgivingRedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "aptboard",
        "OPTIONS": {"socket_connect_timeout": 2, "socket_timeout": 2},
    }
}

# Workers read the benchmark databases as a user that can only find; loading uses another user, by command only.
MONGO_URL = env.text("MONGO_URL", default="mongodb://localhost:27017/?directConnection=true")
MONGO_LOADER_URL = env.text("MONGO_LOADER_URL", default=MONGO_URL)
DEMO_ENGINE = env.flag("APTBOARD_DEMO_ENGINE")

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "board"
LOGOUT_REDIRECT_URL = "board"
MESSAGE_TAGS = {levels.SUCCESS: "good", levels.WARNING: "warn", levels.ERROR: "bad"}

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = False
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = Path(env.text("APTBOARD_STATIC_ROOT", default=str(BASE_DIR / "staticfiles")))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if LOCAL
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}

WHITENOISE_USE_FINDERS = LOCAL
WHITENOISE_AUTOREFRESH = LOCAL

# A prediction file is streamed to disk; its cap is ours (leaderboard.services.submissions), not Django's.
SUBMISSION_BYTES = env.number("APTBOARD_SUBMISSION_BYTES", default=50_000_000)
FILE_UPLOAD_HANDLERS = [
    "leaderboard.web.upload.CappedUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]
DATA_UPLOAD_MAX_NUMBER_FILES = 4
DATA_UPLOAD_MAX_MEMORY_SIZE = SUBMISSION_BYTES + 1024 * 1024

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "leaderboard.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticatedOrReadOnly"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser", "rest_framework.parsers.MultiPartParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    # OPTIONS is a method like any other: what no address declares is refused.
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "leaderboard.api.problems.problem_response",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "AptBoard",
    "DESCRIPTION": "Submit predictions to AptMQL-Bench and read its board.",
    "VERSION": "1.0.0",
    "SERVE_INCLUDE_SCHEMA": False,
    # One name, whatever the member is called that holds it, and whether it is one or a list of them.
    "ENUM_NAME_OVERRIDES": {"ConditionEnum": list(Condition), "SliceKindEnum": ["database", "difficulty"]},
}

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "script-src": [SELF],
        "connect-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    },
}

# Celery: messages only wake workers up, PostgreSQL is the truth.
BATCH_LEASE_SECONDS = env.number("APTBOARD_BATCH_LEASE_SECONDS", default=60)
BATCH_ATTEMPTS = env.number("APTBOARD_BATCH_ATTEMPTS", default=5)
BATCH_SLICE_SECONDS = env.number("APTBOARD_BATCH_SLICE_SECONDS", default=10)
RUN_DEADLINE_SECONDS = env.number("APTBOARD_RUN_DEADLINE_SECONDS", default=6 * 3600)
RUN_ITEM_SECONDS = env.number("APTBOARD_RUN_ITEM_SECONDS", default=2)
GENERATION_ITEM_SECONDS = env.number("APTBOARD_GENERATION_ITEM_SECONDS", default=30)
# Providers whose models may be named without an address; litellm knows theirs, so no submitter chooses it.
ENDPOINT_PROVIDERS = env.words(
    "APTBOARD_ENDPOINT_PROVIDERS",
    default="anthropic,cohere,deepseek,fireworks_ai,gemini,groq,mistral,openai,openrouter,together_ai,xai",
)
RESUME_SECONDS = env.number("APTBOARD_RESUME_SECONDS", default=60)
GIVE_UP_SECONDS = env.number("APTBOARD_GIVE_UP_SECONDS", default=14 * 86_400)
QUERY_MILLISECONDS = env.number("APTBOARD_QUERY_MILLISECONDS", default=30_000)
SWEEP_SECONDS = env.number("APTBOARD_SWEEP_SECONDS", default=15)
WAKE_SECONDS = 4 * SWEEP_SECONDS
# How many runs of one team are worked on at a time; its others wait. 0: no limit.
ACTIVE_RUNS = env.number("APTBOARD_ACTIVE_RUNS", default=4)
# The same query on the same data is executed once: so many bytes of answers are kept, none larger than the second.
EXECUTION_BYTES = env.number("APTBOARD_EXECUTION_BYTES", default=2 * 1024**3)
EXECUTION_ANSWER_BYTES = env.number("APTBOARD_EXECUTION_ANSWER_BYTES", default=1024**2)

# How many submissions a team may send to a benchmark in a rolling window, where no rule of the benchmark's own says
# otherwise. 0: no limit.
QUOTA_SUBMISSIONS = env.number("APTBOARD_QUOTA_SUBMISSIONS", default=100)
QUOTA_SECONDS = env.number("APTBOARD_QUOTA_SECONDS", default=86_400)

# How many bodies one user may send to the API in a minute. 0: no limit.
BODIES_PER_MINUTE = env.number("APTBOARD_BODIES_PER_MINUTE", default=120)

# Notices and webhooks: links in them begin with the site's own address.
SITE_URL = env.text("APTBOARD_SITE_URL", default="http://localhost:8000").rstrip("/")
EMAIL_BACKEND = env.text(
    "EMAIL_BACKEND", default=f"django.core.mail.backends.{'console' if LOCAL else 'smtp'}.EmailBackend"
)
EMAIL_HOST = env.text("EMAIL_HOST", default="localhost")
EMAIL_PORT = env.number("EMAIL_PORT", default=25)
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = env.flag("EMAIL_USE_TLS")
EMAIL_TIMEOUT = 20
# Where the backend that writes e-mails to files puts them.
EMAIL_FILE_PATH = env.text("EMAIL_FILE_PATH") or None
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", default="aptboard@localhost")
CHORES_SECONDS = env.number("APTBOARD_CHORES_SECONDS", default=30)
# Addresses that users give are called on public servers only; this adds the servers of this very machine.
CALL_LOOPBACK = env.flag("APTBOARD_CALL_LOOPBACK")

HTTPS = not LOCAL
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = HTTPS
SECURE_HSTS_PRELOAD = HTTPS
BEHIND_PROXY = env.flag("APTBOARD_BEHIND_PROXY")
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None
# Whose attempts are counted: the address that the outermost of our own proxies saw, never what a client claims.
ALLAUTH_TRUSTED_PROXY_COUNT = env.number("APTBOARD_PROXIES", default=1) if BEHIND_PROXY else 0
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_AGE = 14 * 86_400
# By this prefix, browsers take the cookies from this very host over https only, not from a neighbour in its domain.
SESSION_COOKIE_NAME = "__Host-sessionid" if HTTPS else "sessionid"
CSRF_COOKIE_NAME = "__Host-csrftoken" if HTTPS else "csrftoken"
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {
            "()": "leaderboard.redaction.RedactingFormatter",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        }
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["console"], "level": env.text("APTBOARD_LOG_LEVEL", default="INFO")},
    # Every request of a client that polls is not news.
    "loggers": {"httpx": {"level": "WARNING"}, "pymongo": {"level": "WARNING"}},
}
