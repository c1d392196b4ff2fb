-- The sort orders of the paginated lists of keys, members and teams.
CREATE INDEX api_keys_of_user ON api_keys (user_id, created_at, id)
  WHERE organization_id IS NULL AND revoked_at IS NULL AND NOT playground AND type <> 'institution';
CREATE INDEX api_keys_of_user_by_name ON api_keys (user_id, lower(name), id)
  WHERE organization_id IS NULL AND revoked_at IS NULL AND NOT playground AND type <> 'institution';
CREATE INDEX api_keys_of_organization ON api_keys (organization_id, created_at, id)
  WHERE organization_id IS NOT NULL AND revoked_at IS NULL AND NOT playground AND type <> 'institution';
CREATE INDEX api_keys_of_organization_by_name ON api_keys (organization_id, lower(name), id)
  WHERE organization_id IS NOT NULL AND revoked_at IS NULL AND NOT playground AND type <> 'institution';

CREATE INDEX members_joined ON members (organization_id, joined_at, id);
CREATE INDEX teams_created ON teams (organization_id, created_at, id);
