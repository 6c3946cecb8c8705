import { isAborted, isTold, toFailure } from '../../headless/failure'
import { RequestError, type Host } from '../../headless/host'
import { readingTexts } from './texts'

/** Says why something was not done, unless it was given up on purpose or has been said already; `where` it was tried is for the report of a fault. */
export const tellFailure = (
  host: Host,
  error: unknown,
  where: string,
  sentence: (reason: string) => string = readingTexts[host.locale].notDone,
): void => {
  if (isAborted(error) || isTold(error)) return
  if (!(error instanceof RequestError)) host.report(error, { where })
  host.notify('error', sentence(toFailure(error, host.locale).message))
}
