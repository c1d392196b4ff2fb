-- Links and sessions are stored by their hashes. Links that were sent within the last hour go on working.
UPDATE auth_verifications
  SET identifier = rtrim(translate(encode(sha256(convert_to(identifier, 'UTF8')), 'base64'), '+/', '-_'), '=');

-- What browsers hold can not be made to fit a hash, so people sign in again.
DELETE FROM auth_sessions;
