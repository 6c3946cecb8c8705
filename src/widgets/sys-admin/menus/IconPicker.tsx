import { Button, Empty, Flex, Input, Popover } from 'antd'
import { Suspense, useState } from 'react'
import { ICONS } from '../../../runtime/icon/iconSet'
import { useHost } from '../../../runtime/hostContext'
import { menuTexts } from './texts'

interface IconPickerProps {
  /** Given by the form item. */
  id?: string
  value?: string | null
  onChange?(name: string | null): void
  disabled?: boolean
}

/** Chooses among the icons that menus can draw. */
export const IconPicker = ({ id, value, onChange, disabled }: IconPickerProps) => {
  const texts = menuTexts[useHost().locale]
  const [open, setOpen] = useState(false)
  const [search, setSearch] = useState('')
  const names = Object.keys(ICONS).filter((name) => name.toLowerCase().includes(search.trim().toLowerCase()))
  const Chosen = value ? ICONS[value] : undefined
  const choose = (name: string | null): void => {
    onChange?.(name)
    setOpen(false)
  }
  const content = (
    <Flex vertical gap={8} style={{ width: 312, maxWidth: '80vw' }}>
      <Input
        allowClear
        autoFocus
        aria-label={texts.searchIcons}
        placeholder={texts.searchIcons}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <div className="sb-icon-grid" role="group" aria-label={texts.chooseIcon}>
        {names.map((name) => {
          const Icon = ICONS[name]
          return (
            Icon && (
              <Button
                key={name}
                type={name === value ? 'primary' : 'text'}
                icon={
                  <Suspense fallback={null}>
                    <Icon aria-hidden />
                  </Suspense>
                }
                title={name}
                aria-label={name}
                aria-pressed={name === value}
                onClick={() => choose(name)}
              />
            )
          )
        })}
      </div>
      {names.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={texts.nothingFound} />}
      <Button size="small" onClick={() => choose(null)}>
        {texts.noIcon}
      </Button>
    </Flex>
  )
  return (
    <Popover open={open} onOpenChange={(next) => setOpen(next && !disabled)} trigger="click" content={content} destroyOnHidden>
      <Button
        id={id}
        disabled={disabled}
        icon={
          Chosen && (
            <Suspense fallback={null}>
              <Chosen aria-hidden />
            </Suspense>
          )
        }
        aria-expanded={open}
        aria-label={`${texts.icon}: ${value ?? texts.noIcon}`}
      >
        {value ?? texts.noIcon}
      </Button>
    </Popover>
  )
}
