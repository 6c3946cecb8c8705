import type { TabModel } from '../../schema/model'

/** The one tab of all logs. */
export const LOGS = '$logs'

interface GroupedTabs {
  /** What the bar of tabs shows, the tab of the logs at the place of the first of them. */
  bar: readonly (TabModel | typeof LOGS)[]
  /** The kinds of the tab of the logs; a single log stays a tab of its own. */
  logs: readonly TabModel[]
}

/** Logs stand in one tab where there are several. */
export const groupLogs = (tabs: readonly TabModel[]): GroupedTabs => {
  const logs = tabs.filter(({ log }) => log)
  if (logs.length < 2) return { bar: tabs, logs: [] }
  return { bar: tabs.flatMap((tab): (TabModel | typeof LOGS)[] => (tab === logs[0] ? [LOGS] : tab.log ? [] : [tab])), logs }
}
