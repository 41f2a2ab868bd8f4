"""The conformance battery: what MongoDB's manual says, asked of whatever document database we use."""
