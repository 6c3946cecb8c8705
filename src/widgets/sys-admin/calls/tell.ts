import { isAborted, toFailure } from '../../../runtime/failure'
import { RequestError, type Host } from '../../../runtime/host'

/** Refusals that the shell shows in a dialog of its own, whoever asked. */
const SHOWN_BY_SHELL: readonly (number | undefined)[] = [10060053, 10060054, 10060058, 10060059]

/** Says why something was not done, unless it was given up on purpose or has been said already. */
export const tellFailure = (host: Host, error: unknown, sentence: (reason: string) => string): void => {
  if (isAborted(error) || (error instanceof RequestError && SHOWN_BY_SHELL.includes(error.code))) return
  if (!(error instanceof RequestError)) host.report(error, { where: 'management of access' })
  host.notify('error', sentence(toFailure(error, host.locale).message))
}
