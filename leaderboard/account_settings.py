"""The part of the settings that tells django-allauth how people sign up, log in and manage their accounts."""

from leaderboard import env

AUTHENTICATION_BACKENDS = ["leaderboard.web.authentication.NameOrAddressBackend"]
# Whether visitors may make accounts; where they may not, organisers make them by command.
SIGNUP_OPEN = env.one_of("APTBOARD_SIGNUP", allowed=("open", "closed"), default="open") == "open"
ACCOUNT_ADAPTER = "leaderboard.web.account_adapters.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "leaderboard.web.account_forms.LoginForm",
    "signup": "leaderboard.web.account_forms.SignupForm",
    "add_email": "leaderboard.web.account_forms.AddEmailForm",
    "change_password": "leaderboard.web.account_forms.ChangePasswordForm",
    "set_password": "leaderboard.web.account_forms.SetPasswordForm",
    "reset_password": "leaderboard.web.account_forms.ResetPasswordForm",
    "reset_password_from_key": "leaderboard.web.account_forms.ResetPasswordKeyForm",
    "reauthenticate": "leaderboard.web.account_forms.ReauthenticateForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
ACCOUNT_USERNAME_VALIDATORS = "leaderboard.web.account_forms.USERNAME_VALIDATORS"
ACCOUNT_USERNAME_BLACKLIST = ["admin", "administrator", "aptboard", "demo", "organiser", "root", "staff", "support"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
# Who asks learns nothing about which addresses have accounts: every answer is the same.
ACCOUNT_PREVENT_ENUMERATION = True
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_SIGNUP_REDIRECT_URL = "submit"
ACCOUNT_EMAIL_CONFIRMATION_AUTHENTICATED_REDIRECT_URL = "/account/email/"
ACCOUNT_MAX_EMAIL_ADDRESSES = 3
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[AptBoard] "
# Addresses, the password and the second step are changed only by who gave the password again within the last minutes.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_METHODS = {"password", "mfa"}
ACCOUNT_REAUTHENTICATION_TIMEOUT = 900
ACCOUNT_RATE_LIMITS = {"signup": "20/h/ip"}
MFA_ADAPTER = "leaderboard.web.account_adapters.MfaAdapter"
MFA_FORMS = {
    "authenticate": "leaderboard.web.account_forms.AuthenticateForm",
    "reauthenticate": "leaderboard.web.account_forms.MfaReauthenticateForm",
    "activate_totp": "leaderboard.web.account_forms.ActivateTotpForm",
}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "AptBoard"
# A code of the step before still fits: clocks of telephones are not exact.
MFA_TOTP_TOLERANCE = 1
