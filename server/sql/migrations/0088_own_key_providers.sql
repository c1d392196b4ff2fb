-- An own key can name its provider instead of a protocol: then requests are built as for the operator's accounts there.
ALTER TABLE own_keys ADD COLUMN provider text;
ALTER TABLE own_keys ALTER COLUMN protocol DROP NOT NULL;
ALTER TABLE own_keys ADD CONSTRAINT own_keys_way_check CHECK ((provider IS NULL) <> (protocol IS NULL));
