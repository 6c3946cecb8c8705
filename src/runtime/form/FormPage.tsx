import { useMemo, useState } from 'react'
import { tellChanged } from '../changes'
import { useHost } from '../hostContext'
import { pageScope } from '../scope'
import { useTokenStyle } from '../tokens'
import type { FormModel, Scope } from '../../schema/model'
import { inside } from '../words'
import { FormView } from './FormView'
import { text } from './texts'
import './form.css'

/** A page that is only named after its entity says whether the record is a new one. */
const headingOf = (model: FormModel, scope: Scope): string => {
  const { title, entityLabel, locale } = model
  if (title !== entityLabel || model.readPretty) return title
  const label = locale === 'en' ? inside(title) : title
  return text(locale, model.record({ ...scope, values: {} }) ? 'editOf' : 'createNew', { label })
}

/**
 * A form as a page of its own: title, card, form. After saving it goes where the page says (`submit.open`), else back to where
 * it was opened from.
 */
export const FormPage = ({ model: current, address }: { model: FormModel; address: string }) => {
  const host = useHost()
  const [model] = useState(current)
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
          onCancel={host.closePage}
          onDone={({ answer, values, record }) => {
            if (model.basePath !== undefined) tellChanged(model.basePath)
            const next = model.submit.open?.({ ...scope, answer, values, record })
            if (next) host.navigate(next, { replace: true })
            else host.closePage()
          }}
        />
      </div>
    </div>
  )
}
