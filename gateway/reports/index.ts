/**
 * Reports as files: what a reader would see on the page of a report, as a workbook of the download centre, at once or on the schedule of a report that he saved.
 *
 *   const reports = new ReportFiles({ schemas, engine, adapt, fieldRules, timeZone })
 *   const downloads = registerDownloads(app, { reports, ... })
 *   registerReportRoutes(app, engine, downloads)
 *   scheduler.register(scheduledReports({ engine, sessions, downloads, timeZone }))
 */
export { ReportFiles, type ReportRequest, type ReportTasks } from './file'
export { registerReportRoutes } from './routes'
export { scheduledReports } from './schedule'
