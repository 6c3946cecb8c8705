import { useHost } from '../../../runtime/hostContext'
import { Loaded } from '../../../runtime/reading/Loaded'
import { momentText } from '../../../runtime/reading/moment'
import { useCall } from '../../../runtime/reading/useCall'
import { SYS_DICT, type DictionaryDetail, type DictionaryLog } from './dictionary'
import { dictionaryTexts } from './texts'

/** Who changed what in a dictionary, the newest first. */
export const History = ({ detail }: { detail: DictionaryDetail }) => {
  const host = useHost()
  const texts = dictionaryTexts[host.locale]
  const call = useCall<DictionaryLog>({
    method: 'GET',
    path: `${SYS_DICT}/log`,
    query: { dictionary: detail.name },
  })
  const shown = (value: unknown): string => {
    if (typeof value === 'boolean') return value ? texts.yes : texts.no
    return typeof value === 'string' && value !== '' ? value : texts.empty
  }
  const titleOf = (field: string): string => {
    const cut = field.lastIndexOf('.')
    const fact = texts.facts[field.slice(cut + 1)] ?? field.slice(cut + 1)
    const code = cut < 0 ? '' : field.slice(0, cut)
    const item = detail.items.find((each) => each.code === code)
    return code === '' ? fact : `${item?.label[host.locale] ?? code} · ${fact}`
  }
  return (
    <Loaded call={call} rows={4}>
      {({ records }) =>
        records.length === 0 ? (
          <p className="sb-admin-note">{texts.noLog}</p>
        ) : (
          <ol className="sb-choices sb-dict-log">
            {records.map(({ id, at, by, changes }) => (
              <li key={id}>
                <div className="sb-choice-more">
                  {momentText(host, at)} · {by}
                </div>
                {(changes ?? []).map(({ field, before, after }) => (
                  <div key={field}>
                    {titleOf(field)}: <span className="sb-choice-more">{shown(before)}</span> → {shown(after)}
                  </div>
                ))}
              </li>
            ))}
          </ol>
        )
      }
    </Loaded>
  )
}
