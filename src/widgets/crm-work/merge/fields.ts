import { useEffect, useState } from 'react'
import { ready } from '../../../schema/formats'
import type { PageField, FormNodeModel } from '../../../schema/model'
import { isAborted, toFailure } from '../../../headless/failure'
import { useHost } from '../../../runtime/hostContext'
import { loadCompiled } from '../../../runtime/page/loadCompiled'

/** The fields of a form in the order in which it shows them. */
const fieldsIn = (node: FormNodeModel): PageField[] => [
  ...(node['x-field'] ? [node['x-field'] as PageField] : []),
  ...Object.values(node.properties ?? {}).flatMap(fieldsIn),
]

/** Fields of a form with labels, dictionaries and formats: the comparison shows what the form shows. */
export const useFormFields = (form: string): { fields: readonly PageField[] | null; failed: string | null } => {
  const host = useHost()
  const [state, setState] = useState<{ fields: readonly PageField[] | null; failed: string | null }>({
    fields: null,
    failed: null,
  })
  useEffect(() => {
    const abort = new AbortController()
    const load = async (): Promise<readonly PageField[]> => {
      const { result } = await loadCompiled(host, form, abort.signal)
      const fields = result.ok && result.model.kind === 'form' ? fieldsIn(result.model.schema) : []
      await ready(...fields.map((field) => field.kind))
      return fields
    }
    load().then(
      (fields) => setState({ fields, failed: null }),
      (error: unknown) => {
        if (!abort.signal.aborted && !isAborted(error)) setState({ fields: null, failed: toFailure(error, host.locale).message })
      },
    )
    return () => abort.abort()
  }, [host, form])
  return state
}
