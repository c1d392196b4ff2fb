-- A request and its charge have the same time, that of their transaction. Otherwise, around the end of a month, the
-- provider cost of a request could count in another month than its revenue.
ALTER TABLE generations ALTER COLUMN settled_at SET DEFAULT now();
