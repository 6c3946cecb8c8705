import { Alert, Button, Select, Space } from 'antd'
import { useHost } from '../../../runtime/hostContext'
import { joinAddress, addressOfChange, type Change, type JsonObject } from '../../../schema/overlay'
import { valueAt } from '../document/address'
import { repairsOf } from '../document/repair'
import { useDesign } from './design'
import { designerTexts } from '../texts'

interface Props {
  document: JsonObject
  orphans: readonly Change[]
  onRepair(orphan: Change, id: string): void
  onDrop(orphan: Change): void
  onDropAll(): void
}

/** Changes whose place is gone: each can be given another place of the same list, or dropped. */
export const OrphanReport = ({ document, orphans, onRepair, onDrop, onDropAll }: Props) => {
  const texts = designerTexts[useHost().locale]
  const { labels } = useDesign()
  return (
    <Alert
      type="warning"
      showIcon
      message={texts.orphans(orphans.length)}
      description={
        <>
          <p>{texts.orphanText}</p>
          <ul className="sb-design-orphans">
            {orphans.map((orphan) => {
              const { list, ids } = repairsOf(document, orphan)
              return (
                <li key={addressOfChange(orphan)}>
                  <Space wrap size={8}>
                    <span>{labels.address(addressOfChange(orphan))}</span>
                    {ids.length > 0 && (
                      <Select
                        size="small"
                        showSearch
                        className="sb-design-who"
                        aria-label={`${texts.orphanRepair}: ${labels.address(addressOfChange(orphan))}`}
                        placeholder={texts.orphanRepair}
                        value={null}
                        options={ids.map((id) => ({
                          value: id,
                          label: labels.item(joinAddress(list, id), id, valueAt(document, joinAddress(list, id))),
                        }))}
                        onSelect={(id: string | null) => id !== null && onRepair(orphan, id)}
                      />
                    )}
                    <Button size="small" onClick={() => onDrop(orphan)}>
                      {texts.remove}
                    </Button>
                  </Space>
                </li>
              )
            })}
          </ul>
          <Button size="small" onClick={onDropAll}>
            {texts.orphanDrop}
          </Button>
        </>
      }
    />
  )
}
