import { RobotOutlined, SyncOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { observer } from 'mobx-react-lite'
import { useEffect } from 'react'
import { usePortal } from '../../portal/portal'
import type { AssistantStore } from '../assistantStore'
import { assistantTexts } from '../texts'

/** What stands before the first question: a greeting and what could be asked (R092, R414). */
export const Home = observer(function Home({ store }: { store: AssistantStore }) {
  const { layout, language, session } = usePortal()
  const texts = assistantTexts[language.locale]
  const module = layout.layout === 'home' ? '' : layout.layout
  useEffect(() => void store.loadQuestions(module), [store, module])
  return (
    <div className="sb-assistant-home">
      <RobotOutlined className="sb-assistant-mark" aria-hidden />
      <h3>{texts.greeting(session.user?.name ?? '')}</h3>
      <p>{texts.lead}</p>
      {store.questions !== null && store.questions.length > 0 && (
        <>
          <div className="sb-assistant-line">
            <span>{texts.suggestions}</span>
            <Button type="text" size="small" icon={<SyncOutlined />} onClick={() => void store.loadQuestions(module)}>
              {texts.refresh}
            </Button>
          </div>
          <ul className="sb-suggestions">
            {store.questions.map(({ question }) => (
              <li key={question}>
                <button type="button" disabled={store.current.loading} onClick={() => store.ask(question)}>
                  {question}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
})
