import { isAborted, isTold, toFailure } from '../../../runtime/failure'
import { RequestError, type Host } from '../../../runtime/host'
import { designerTexts } from '../texts'

/** Says why something was not done, unless it was given up on purpose or has been said already. */
export const tellFailure = (host: Host, error: unknown): void => {
  if (isAborted(error) || isTold(error)) return
  if (!(error instanceof RequestError)) host.report(error, { where: 'page designer' })
  host.notify('error', designerTexts[host.locale].failedBecause(toFailure(error, host.locale).message))
}
