import { Button } from 'antd'
import { useEffect, useState } from 'react'
import type { Host } from '../../../headless/host'
import { useSession, useText } from '../view/session'

interface Creatable {
  entity: string
  /** Name of the form page. */
  form?: string
}

/** Asked once for all lists of choices. */
const answers = new WeakMap<Host['request'], Promise<readonly Creatable[]>>()

const askCreatable = (host: Host): Promise<readonly Creatable[]> => {
  const known = answers.get(host.request)
  if (known) return known
  const asked = host
    .request<unknown>({ method: 'GET', path: '/v2/sys/search/actions' })
    .then((list) => (Array.isArray(list) ? (list as Creatable[]) : []))
  answers.set(host.request, asked)
  // what failed is asked again with the next list
  asked.catch(() => answers.delete(host.request))
  return asked
}

interface CreateBelowProps {
  entity: string
  label: string
  /** The form page that the document names; without one that of the list in which the viewer makes such records. */
  page: string | undefined
  keyword: string
  onCreate(page: string): void
}

/** Below the choices of a reference: makes a record of what was typed, where the viewer may. */
export const CreateBelow = ({ entity, label, page: named, keyword, onCreate }: CreateBelowProps) => {
  const { host } = useSession()
  const t = useText()
  const [found, setFound] = useState<string>()
  const asks = named === undefined && !host.preview

  useEffect(() => {
    if (!asks) return
    let ended = false
    askCreatable(host).then(
      (all) => {
        if (!ended) setFound(all.find((one) => one.entity === entity && one.form !== undefined)?.form)
      },
      // a list of choices is no less useful without
      () => undefined,
    )
    return () => {
      ended = true
    }
  }, [asks, entity, host])

  const page = named ?? found
  if (page === undefined) return null
  const name = keyword.trim()
  return (
    <Button type="link" onMouseDown={(event) => event.preventDefault()} onClick={() => onCreate(page)}>
      + {name === '' ? t('createNew', { label }) : t('createNamed', { label, name })}
    </Button>
  )
}
