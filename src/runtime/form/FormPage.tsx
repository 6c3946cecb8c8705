import { useMemo, useState } from 'react'
import { tellChanged } from '../changes'
import { useHost } from '../hostContext'
import { pageScope } from '../../headless/scope'
import { useTokenStyle } from '../tokens'
import type { FormModel, Scope } from '../../schema/model'
import { inside } from '../../headless/words'
import { FormView } from './FormView'
import { text } from '../../headless/form/texts'
import './form.css'

/** Says whether the record is a new one, unless the page has a name of its own for new ones. */
const headingOf = (model: FormModel, scope: Scope): string => {
  const { title, entityLabel, locale } = model
  if (model.readPretty || !entityLabel) return title
  const edited = Boolean(model.record({ ...scope, values: {} }))
  // a page that is named for editing opens new records, too
  if (title !== entityLabel && !edited && !/^(?:编辑|Edit )/.test(title)) return title
  const label = locale === 'en' ? inside(entityLabel) : entityLabel
  return text(locale, edited ? 'editOf' : 'createNew', { label })
}

/**
 * A form as a page of its own: title, card, form. After saving it goes where the page says (`submit.open`), else back to where
 * it was opened from.
 */
export const FormPage = ({ model: current, address }: { model: FormModel; address: string }) => {
  const host = useHost()
  const [model, setModel] = useState(current)
  // a newer revision waits until the form is closed; the other language of the same one does not
  if (current.revision === model.revision && current.locale !== model.locale) setModel(current)
  const style = useTokenStyle()
  const scope = useMemo(() => pageScope(host, address), [host, address])
  return (
    <div className="sb-form-page" style={style}>
      <header className="sb-form-head">
        <h1>{headingOf(model, scope)}</h1>
        {model.description ? <p className="sb-form-help">{model.description}</p> : null}
      </header>
      <div className="sb-form-card">
        <FormView
          model={model}
          scope={scope}
          onCancel={() => host.closePage()}
          onDone={({ answer, values, record }) => {
            if (model.basePath !== undefined) tellChanged(model.basePath)
            const next = model.submit.open?.({ ...scope, answer, values, record })
            // the form that was saved is done with: opened again, it is for another record
            host.closePage(next || undefined)
          }}
        />
      </div>
    </div>
  )
}
