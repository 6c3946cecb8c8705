/**
 * Records as paper: what stands on a document of `schemas/<module>/papers` is read with the caller's rights, drawn as PDF in a thread of its
 * own (pdfkit, Noto Sans SC of the project's packages) and kept in the file store.
 *
 *   const papers = new Papers({ schemas, engine, files, timeZone })
 *   registerPaperRoutes(app, papers)
 */
export { PAPER_LANGUAGES } from './content'
export { Papers, type PaperAsked } from './papers'
export { registerPaperRoutes } from './routes'
