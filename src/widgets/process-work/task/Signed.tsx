import { useEffect, useState } from 'react'
import { Attachments } from '../../../runtime/detail/Attachments'
import type { Host } from '../../../headless/host'
import type { FileValue } from '../../../schema/formats'

const FILES = '/v2/download/downloadCenter/api/file'

/** What somebody signed with, as a picture, on paper too; its file where the picture cannot be shown. */
export const Signed = ({ host, file, label }: { host: Host; file: FileValue; label: string }) => {
  const [address, setAddress] = useState<string | null>(null)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    const abort = new AbortController()
    host
      .request<{ url: string }>({ method: 'POST', path: `${FILES}/${encodeURIComponent(file.id)}/ticket`, signal: abort.signal })
      .then(({ url }) => setAddress(url))
      // the file itself can be asked for, and says why it is not there
      .catch(() => setFailed(!abort.signal.aborted))
    return () => abort.abort()
  }, [host, file.id])
  if (failed) return <Attachments host={host} value={[file]} />
  return address === null ? null : <img className="sb-log-sign" src={address} alt={label} onError={() => setFailed(true)} />
}
