import type { Http } from '../http/client'

const VERSION = '/v2/sys/staff/version'

/** What the dialog of a version says. */
export interface VersionDetail {
  id: string
  version: string
  title: string
  content: string
}

interface Check {
  popupState: number
  versionDetail: VersionDetail | null
}

/** The notice that the person has to read, if there is one (R259): only a popupState of 1 opens the dialog. Nothing is told when that cannot be asked. */
export async function fetchVersion(http: Pick<Http, 'request'>): Promise<VersionDetail | null> {
  const check = await http.request<Check>({ method: 'GET', path: `${VERSION}/checkUserNeedPopupVersion` }).catch(() => null)
  return check?.popupState === 1 ? check.versionDetail : null
}

/** The person has read it. It opens again at the next sign-in when that could not be said. */
export async function readVersion(http: Pick<Http, 'request'>, id: string): Promise<void> {
  await http.request({ method: 'POST', path: `${VERSION}/markRead`, body: { id } }).catch(() => undefined)
}
