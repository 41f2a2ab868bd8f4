"""Telemetry: what a family of applications reports of its sessions, events and crashes."""
