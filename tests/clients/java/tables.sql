-- The billing database as a run finds it: empty.
DROP TABLE IF EXISTS completed, slots, shedlock;

-- A period that was billed, noted after the last customer.
CREATE TABLE completed (period text PRIMARY KEY);

-- A payment that somebody set out to make; the key lets one of them through.
CREATE TABLE slots (
    customer text NOT NULL,
    period text NOT NULL,
    idempotency_key text NOT NULL,
    paid boolean NOT NULL DEFAULT false,
    PRIMARY KEY (customer, period)
);

-- What ShedLock keeps, in its own words.
CREATE TABLE shedlock (
    name varchar(64) PRIMARY KEY,
    lock_until timestamp NOT NULL,
    locked_at timestamp NOT NULL,
    locked_by varchar(255) NOT NULL
);
