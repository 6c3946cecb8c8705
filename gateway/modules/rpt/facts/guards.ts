import { sql } from 'drizzle-orm'
import { tableOf, thereIs } from '../../../entities'
import type { SqlStep } from '../../../platform/database'
import { FACT_SOURCES } from './sources'

/** Hours of records that facts do not tell yet. */
export const DIRTY_HOURS = 'rpt_dirty_hour'

/**
 * Whatever writes a record marks its hour, so that no fact can be forgotten. The moment and the hour that a change left behind are marked as well; records of other modules may
 * not be there.
 */
export const factGuards: readonly SqlStep[] = [
  {
    id: '2026-11-rpt-dirty-hours',
    run: `create table if not exists ${DIRTY_HOURS} (record text not null, hour timestamptz not null, primary key (record, hour));
create or replace function rpt_mark_hours() returns trigger language plpgsql as $$
begin
  execute format('insert into ${DIRTY_HOURS} (record, hour) select distinct %L, date_trunc(''hour'', c.%I, ''UTC'') from changed c where c.%I is not null on conflict do nothing', tg_argv[0], tg_argv[1], tg_argv[1]);
  return null;
end $$;`,
  },
  ...FACT_SOURCES.flatMap(({ record, at, tries }) => [
    marks(record, record, at),
    ...(tries ? [marks(tries.record, record, at)] : []),
  ]),
]

/** Whatever writes rows of `written` marks the hours of the records that they belong to. */
function marks(written: string, record: string, at: string): SqlStep {
  return {
    id: `2026-11-rpt-marks-${written}`,
    run: async (tx) => {
      if (!(await thereIs(tx, written))) return
      const table = tableOf(written)
      const trigger = (event: string, kept: string): string =>
        `create or replace trigger rpt_marks_${event} after ${event} on ${table} referencing ${kept} table as changed for each statement execute function rpt_mark_hours('${record}', '${at}');`
      for (const [event, kept] of [
        ['insert', 'new'],
        ['update', 'new'],
        ['delete', 'old'],
      ] as const)
        await tx.query(sql.raw(trigger(event, kept)))
    },
  }
}
