import type { GeneralField } from '@formily/core'
import { isField } from '@formily/core'
import { Button } from 'antd'
import type { FormNodeModel } from '../../../schema/model'
import { controlName } from '../../../headless/form/node'
import { useTracked } from '../view/track'
import { useSession, useTextsOf } from '../view/session'
import { optionsSeen } from './choosing'
import { missingText, OPTION_TEXTS } from './texts'

/** Controls that say themselves, where nothing is chosen yet, what comes first. */
const WITH_PLACEHOLDER: ReadonlySet<string> = new Set(['select', 'selectMany', 'TreeSelect', 'Cascader'])

/** How it stands with the options of a field, beside its control. */
const OptionsNote = ({ field, node }: { field: GeneralField; node: FormNodeModel }) => {
  const { locale } = useSession()
  const t = useTextsOf(OPTION_TEXTS)
  const options = optionsSeen(field)
  const [loading, failure, missing, cut, placeholder] = useTracked(options ?? field, () => [
    isField(field) && field.loading,
    options?.seen.failure,
    options?.seen.missing,
    options?.seen.cut,
    field.componentProps.placeholder as unknown,
  ])
  const { most, searches } = node['x-options'] ?? {}
  if (!options) return null
  if (typeof failure === 'string')
    return (
      <div className="sb-form-error" role="alert">
        {t('failed', { reason: failure })}{' '}
        <Button type="link" size="small" onClick={options.retry}>
          {t('retry')}
        </Button>
      </div>
    )
  const first = typeof missing === 'string' ? missingText(locale, missing) : undefined
  const isSaid = WITH_PLACEHOLDER.has(controlName(node)) && placeholder === first
  const said = loading
    ? t('loading')
    : first !== undefined && !isSaid
      ? first
      : cut === true && searches !== true
        ? t('cut', { n: most ?? 0 })
        : undefined
  return said === undefined ? null : (
    <div className="sb-form-help" role="status">
      {said}
    </div>
  )
}

export default OptionsNote
