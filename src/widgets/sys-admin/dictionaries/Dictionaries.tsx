import './dictionaries.css'
import { useState } from 'react'
import { useHost } from '../../../runtime/hostContext'
import type { WidgetProps } from '../../../runtime/widget'
import { Loaded } from '../../../runtime/reading/Loaded'
import { useCall } from '../../../runtime/reading/useCall'
import { AdminPage } from '../split/AdminPage'
import { SearchedList } from '../split/SearchedList'
import { Split } from '../split/Split'
import { searchDictionaries, SYS_DICT, type DictionarySummary } from './dictionary'
import { DictionaryView } from './DictionaryView'
import { dictionaryTexts } from './texts'

interface Props {
  module: string
}

/** The dictionaries of a module and their values. */
const Dictionaries = ({ props, values }: WidgetProps<Props>) => {
  const { locale } = useHost()
  const texts = dictionaryTexts[locale]
  const call = useCall<{ records: DictionarySummary[] }>({
    method: 'POST',
    path: `${SYS_DICT}/pageSysDict`,
    body: { module: props.module },
  })
  return (
    <AdminPage title={typeof values.title === 'string' ? values.title : texts.title} help={texts.help}>
      <Loaded call={call} rows={12}>
        {({ records }) => <Management dictionaries={records} onChanged={call.reload} />}
      </Loaded>
    </AdminPage>
  )
}
export default Dictionaries

const Management = ({ dictionaries, onChanged }: { dictionaries: readonly DictionarySummary[]; onChanged(): void }) => {
  const { locale } = useHost()
  const texts = dictionaryTexts[locale]
  const [chosen, setChosen] = useState<string | null>(null)
  const [opened, setOpened] = useState(false)
  const [search, setSearch] = useState('')
  const shown = searchDictionaries(dictionaries, search)
  const name = chosen ?? dictionaries[0]?.name
  return (
    <Split
      listLabel={texts.list}
      detailLabel={texts.detail}
      open={opened}
      backLabel={texts.back}
      onBack={() => setOpened(false)}
      list={
        <>
          <SearchedList
            search={search}
            onSearch={setSearch}
            label={texts.search}
            nothing={shown.length === 0 ? texts.nothingFound : null}
            clearLabel={texts.clear}
          >
            <ul className="sb-choices sb-split-scroll">
              {shown.map((one) => (
                <li key={one.name}>
                  <button
                    type="button"
                    className="sb-choice"
                    aria-current={one.name === name}
                    onClick={() => {
                      setChosen(one.name)
                      setOpened(true)
                    }}
                  >
                    <span className="sb-choice-line">
                      <span className="sb-choice-name">{one.label[locale]}</span>
                      <span className="sb-choice-count">{one.values}</span>
                    </span>
                    <span className="sb-choice-more">
                      {one.editable ? one.name : `${one.name} · ${texts.fixedDictionary}`}
                      {one.changed > 0 && ` · ${texts.changed(one.changed)}`}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          </SearchedList>
        </>
      }
      detail={
        name === undefined ? (
          <p className="sb-admin-note">{texts.none}</p>
        ) : (
          <DictionaryView key={name} name={name} onChanged={onChanged} />
        )
      }
    />
  )
}
