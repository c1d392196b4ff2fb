-- Whether the session began with a second factor: a code of an authenticator app, a recovery code or a passkey. Each
-- operator needs one.
ALTER TABLE auth_sessions ADD COLUMN second_factor boolean NOT NULL DEFAULT false;
