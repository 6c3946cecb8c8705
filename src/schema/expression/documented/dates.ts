import type { DocumentedFunctions } from './documented'

export const DATE_DOCUMENTATION: DocumentedFunctions = {
  days: {
    group: 'date',
    summary: {
      zh: '从 from 到 to 的自然日天数（to 更早则为负）。',
      en: 'Calendar days from one date to the other; negative when the second is earlier.',
    },
    examples: [
      {
        expression: 'days(lastFollowAt ?? createdAt, today)',
        scope: { createdAt: '2025-02-27', today: '2025-03-01' },
        result: 2,
      },
      { expression: 'days(null, today)', scope: { today: '2025-03-01' }, result: null },
    ],
  },
  months: {
    group: 'date',
    summary: { zh: '从 from 到 to 的整月数。', en: 'Whole months from one date to the other.' },
    examples: [{ expression: "months('2025-01-31', '2025-03-30')", result: 1 }],
  },
  addDays: {
    group: 'date',
    summary: { zh: '日期加若干天。', en: 'The date so many days later.' },
    examples: [{ expression: "addDays('2025-02-27', 2)", result: '2025-03-01' }],
  },
  addMonths: {
    group: 'date',
    summary: {
      zh: '日期加若干月；没有该日时取月末。',
      en: 'The date so many months later; the last day of the month where there is no such day.',
    },
    examples: [{ expression: "addMonths('2025-01-31', 1)", result: '2025-02-28' }],
  },
  workingDays: {
    group: 'date',
    summary: {
      zh: 'from 之后到 to（含）的工作日天数，to 更早则为负：按国务院公布的放假与调休安排，尚未公布的年份只除去周末。',
      en: 'Working days after the first date up to the second; negative when that is earlier. Public holidays of mainland China and the days at weekends that make up for them count as they were announced (2018 to 2026), other years have their weekends free.',
    },
    examples: [
      { expression: "workingDays('2026-02-13', '2026-02-24')", result: 2 },
      { expression: "workingDays(null, '2026-02-24')", result: null },
    ],
  },
  addWorkingDays: {
    group: 'date',
    summary: {
      zh: '若干个工作日之后（负数则之前）的日期，放假与调休同 workingDays。',
      en: 'The date so many working days later, or earlier; holidays as for workingDays.',
    },
    examples: [
      { expression: "addWorkingDays('2026-09-30', 1)", result: '2026-10-08' },
      { expression: "addWorkingDays('2026-10-08', -1)", result: '2026-09-30' },
    ],
  },
  isWorkingDay: {
    group: 'date',
    summary: { zh: '是否工作日，放假与调休同 workingDays。', en: 'Is it a working day? Holidays as for workingDays.' },
    examples: [{ expression: "isWorkingDay('2026-10-10')", result: true }],
  },
  plus: {
    group: 'date',
    summary: {
      zh: '日期或时间加一段时长（ISO 8601，可为负）：先加年月（没有该日时取月末），再加天，最后加时分秒；年月日按时区的日历计。',
      en: 'The date or instant a duration (ISO 8601, also negative) later: first years and months, on the last day where there is no such day, then days, both in the calendar of the time zone, then the time that passes.',
    },
    examples: [
      { expression: "plus('2025-03-01T02:00:00.000Z', 'PT24H')", result: '2025-03-02T02:00:00.000Z' },
      { expression: "plus('2025-01-31', 'P1M')", result: '2025-02-28' },
    ],
  },
  minus: {
    group: 'date',
    summary: { zh: '日期或时间减一段时长（ISO 8601）。', en: 'The date or instant a duration (ISO 8601) earlier.' },
    examples: [{ expression: "minus('2025-03-31', 'P1M3D')", result: '2025-02-25' }],
  },
  date: {
    group: 'date',
    summary: {
      zh: '日期或时间在查看者时区中的日期（YYYY-MM-DD）。',
      en: "The day (YYYY-MM-DD) of a date or an instant in the viewer's time zone.",
    },
    examples: [{ expression: "date('2025-03-01T02:00:00.000Z')", result: '2025-03-01' }],
  },
  year: {
    group: 'date',
    summary: { zh: '年份。', en: 'The year.' },
    examples: [{ expression: "year('2025-03-01')", result: 2025 }],
  },
  month: {
    group: 'date',
    summary: { zh: '月份，1 到 12。', en: 'The month, 1 to 12.' },
    examples: [{ expression: "month('2025-03-01')", result: 3 }],
  },
  weekday: {
    group: 'date',
    summary: { zh: '星期几，星期一为 1，星期日为 7。', en: 'The day of the week: Monday is 1, Sunday 7.' },
    examples: [{ expression: "weekday('2025-03-02')", result: 7 }],
  },
  at: {
    group: 'date',
    summary: { zh: '某日某时刻的时间。', en: 'The instant at which the clock shows a time on a date.' },
    examples: [{ expression: "at('2025-03-01', '10:00')", result: '2025-03-01T02:00:00.000Z' }],
  },
}
