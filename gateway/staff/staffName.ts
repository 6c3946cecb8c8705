/**
 * SQL of a person as lists show him, name with job number, in both languages as { zh, en }; null without a person. `alias` is that
 * of sys_staff in the statement.
 */
export const staffName = (alias: string): string =>
  `case when ${alias}.id is not null then jsonb_build_object('zh', ${alias}.name || ' (' || ${alias}.job_number || ')',
     'en', coalesce(nullif(${alias}.name_en, ''), ${alias}.name) || ' (' || ${alias}.job_number || ')') end`
