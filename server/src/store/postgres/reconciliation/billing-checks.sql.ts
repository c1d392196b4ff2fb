import { paidByLedger } from '../billing/invoices.sql.ts'
import { sqlCheck } from './check.ts'

const documentRows = `SELECT number, kind, position, currency, total_minor::text, total_nano::text, issued_at::text FROM billing_documents`

// The permanently refunded amount, at most the paid amount, in the payment's currency, and its share of the booked
// amount, to the cent.
const gone = 'least(t.paid_minor, t.refunded_minor - t.returned_minor + t.lost_minor)'
const booked = '(t.paid_credit_nano + t.paid_fee_nano + t.paid_tax_nano)'
const goneNano = `div(2 * ${gone}::numeric * (${booked} / 10000000) + t.paid_minor, 2 * t.paid_minor) * 10000000`

/** A payment booked since documents exist has one receipt over the booked amount. Its refunds have credit notes. */
export const checkDocuments = sqlCheck({
  text: `WITH orders AS (
      SELECT t.id, t.wallet_id, t.paid_minor, ${booked} AS paid_nano, ${gone} AS gone_minor, ${goneNano} AS gone_nano
      FROM top_ups t CROSS JOIN billing_start s
      WHERE t.paid_minor > 0
        AND NOT EXISTS (SELECT 1 FROM top_up_effects e WHERE e.top_up_id = t.id AND e.booked_at < s.started_at)
    ), sums AS (
      SELECT d.top_up_id, d.kind, count(*) AS documents, sum(d.total_minor) AS minor, sum(d.total_nano) AS nano
      FROM billing_documents d WHERE d.top_up_id IS NOT NULL GROUP BY 1, 2
    )
    SELECT o.wallet_id AS "walletId", w.what, 'billing_documents' AS table, NULL AS day, o.id::text AS subject, w.expected, w.found
    FROM orders o
    LEFT JOIN sums r ON r.top_up_id = o.id AND r.kind = 'receipt'
    LEFT JOIN sums c ON c.top_up_id = o.id AND c.kind = 'credit_note'
    CROSS JOIN LATERAL (VALUES
      ('a paid order must have one receipt for the booked amount', '1 over ' || o.paid_minor || ', booked ' || o.paid_nano,
        coalesce(r.documents, 0) || ' over ' || coalesce(r.minor, 0) || ', booked ' || coalesce(r.nano, 0)),
      ('credit notes must equal refunds', (-o.gone_minor) || ', booked ' || (-o.gone_nano),
        coalesce(c.minor, 0) || ', booked ' || coalesce(c.nano, 0))
    ) AS w (what, expected, found)
    WHERE w.expected <> w.found ORDER BY 1, 5`,
  values: () => [],
  rowsText: `${documentRows} WHERE top_up_id = $1::uuid ORDER BY issued_at`,
  rowsValues: ({ subject }) => [subject],
})

/** The numbers of each series and year count from one without a gap, up to the last one taken. */
export const checkNumbers = sqlCheck({
  text: `SELECT NULL AS "walletId", 'document numbers must have no gaps' AS what, 'billing_numbers' AS table, NULL AS day,
      coalesce(n.series, d.series) || '-' || coalesce(n.year, d.year) AS subject, coalesce(n.last, 0)::text || ' documents' AS expected,
      coalesce(d.documents, 0)::text || ' documents, the last ' || coalesce(d.last, 0)::text AS found
    FROM billing_numbers n
    FULL JOIN (SELECT b.series, b.year, count(*) AS documents, max(b.serial) AS last FROM billing_documents b GROUP BY 1, 2) AS d
      ON d.series = n.series AND d.year = n.year
    WHERE n.last IS DISTINCT FROM d.documents OR n.last IS DISTINCT FROM d.last ORDER BY 5`,
  values: () => [],
  rowsText: `SELECT series, year, serial, number FROM billing_documents WHERE series || '-' || year = $1 ORDER BY serial DESC`,
  rowsValues: ({ subject }) => [subject],
})

/** A document's text matches its hash, and its row matches its text. */
export const checkSnapshots = sqlCheck({
  text: `SELECT d.wallet_id AS "walletId", 'a document must match its hash' AS what, 'billing_documents' AS table,
      (d.issued_at AT TIME ZONE 'UTC')::date::text AS day, d.number AS subject,
      d.sha256 || ' ' || d.number || ' ' || d.kind || ' ' || d.currency || ' ' || trim_scale(d.total_nano / 1000000000.0) AS expected,
      encode(sha256(convert_to(d.snapshot, 'UTF8')), 'hex') || ' ' || (s.told ->> 'number') || ' ' || (s.told ->> 'kind') || ' '
        || (s.told ->> 'currency') || ' ' || trim_scale((s.told ->> 'total_usd')::numeric) AS found
    FROM billing_documents d CROSS JOIN LATERAL (SELECT d.snapshot::json AS told) AS s
    WHERE (encode(sha256(convert_to(d.snapshot, 'UTF8')), 'hex'), s.told ->> 'number', s.told ->> 'kind', s.told ->> 'currency',
        (s.told ->> 'total_usd')::numeric) IS DISTINCT FROM (d.sha256, d.number, d.kind, d.currency, d.total_nano / 1000000000.0)
    ORDER BY 5`,
  values: () => [],
  rowsText: `${documentRows} WHERE number = $1`,
  rowsValues: ({ subject }) => [subject],
})

/**
 * An invoice equals its lines to the nano-dollar: usage plus balance equals the amount due without tax plus the carried
 * amount. Its payment state matches the ledger.
 */
export const checkInvoices = sqlCheck({
  text: `SELECT d.wallet_id AS "walletId", w.what, 'invoice_states' AS table, d.month::text AS day, d.number AS subject, t.expected, t.found
    FROM billing_documents d LEFT JOIN invoice_states i ON i.document_id = d.id LEFT JOIN invoiced_months m ON m.document_id = d.id
    CROSS JOIN LATERAL (SELECT d.snapshot::json AS told) AS s
    CROSS JOIN LATERAL (VALUES
      ('an invoice must equal usage plus carried balance', ((SELECT coalesce(sum((u.value ->> 'usd')::numeric), 0) FROM json_array_elements(s.told -> 'usage') u)
          + (s.told ->> 'balance_usd')::numeric) * 1000000000, coalesce(i.credit_nano, 0) + coalesce(m.carried_nano, 0)::numeric),
      ('an invoice total must equal credit plus tax', d.total_nano::numeric, coalesce(i.credit_nano, 0) + coalesce(i.tax_nano, 0)::numeric),
      ('the paid amount of an invoice must match the ledger', (${paidByLedger})::numeric, coalesce(i.paid_nano, 0)::numeric)
    ) AS w (what, expected_nano, found_nano)
    CROSS JOIN LATERAL (SELECT trim_scale(w.expected_nano)::text AS expected, trim_scale(w.found_nano)::text AS found) AS t
    WHERE d.kind = 'invoice' AND w.expected_nano <> w.found_nano ORDER BY 1, 5`,
  values: () => [],
  rowsText: `SELECT i.number, i.credit_nano::text, i.tax_nano::text, i.paid_nano::text, i.paid_at::text FROM invoice_states i WHERE i.number = $1`,
  rowsValues: ({ subject }) => [subject],
})
