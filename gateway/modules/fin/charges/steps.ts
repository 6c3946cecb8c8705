import type { SqlStep } from '../../../platform/database'

/** Entries from before they knew the day that they are for: it was their business day. */
export const serviceDays: SqlStep = {
  id: '2026-11-ledger-service-days',
  run: `alter table fin_ledger_entry disable trigger user;
update fin_ledger_entry set service_day = biz_date where service_day is null;
alter table fin_ledger_entry enable trigger user;`,
}
