import { expect, type Locator, type Page } from '@playwright/test'

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

interface ReleaseTerms {
  /** Default: everybody. */
  stage?: 'Gray browsers' | 'Everybody'
  title?: string
  reason?: string
  /** When it holds, e.g. 2026-06-15 00:00:00; default: at once. */
  from?: string
  /** What the list of changes has to say. */
  says?: string
  /** Confirms what is risky; default: nothing is. */
  risky?: boolean
}

/** The page designer in English, as an admin uses it: the tree, the panel of the chosen part, the preview, the release. */
export class DesignerPage {
  constructor(readonly page: Page) {}

  /** Opens a document, for everybody or for one role. */
  async open(target: string, { role, tab }: { role?: string; tab?: 'json' | 'history' } = {}): Promise<void> {
    const query = new URLSearchParams({ target, ...(role === undefined ? {} : { role }), ...(tab === undefined ? {} : { tab }) })
    await this.page.goto(`/setModule/pages?${query}`)
    await expect(this.page.locator('.sb-design-head')).toContainText(target)
  }

  get tree(): Locator {
    return this.page.getByRole('tree', { name: 'Structure' })
  }
  get panel(): Locator {
    return this.page.locator('.sb-design-panel')
  }
  get preview(): Locator {
    return this.page.getByRole('region', { name: 'Preview' })
  }

  private node(name: string): Locator {
    return this.page
      .locator('.ant-tree-treenode')
      .filter({ has: this.page.getByText(name, { exact: true }) })
      .first()
  }

  /** Brings an entry of the tree into view: long trees draw only what is seen. */
  private async reach(name: string): Promise<Locator> {
    const node = this.node(name)
    const holder = this.page.locator('.sb-design-tree .ant-tree-list-holder')
    await expect(async () => {
      if (await node.count()) return
      await holder.evaluate(async (element) => {
        const end = element.scrollTop + element.clientHeight >= element.scrollHeight - 1
        element.scrollTo(0, end ? 0 : element.scrollTop + 220)
        // drawn in the next frame
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
      })
      expect(await node.count()).toBeGreaterThan(0)
    }).toPass({ timeout: 15_000, intervals: [0] })
    return node
  }

  /** Opens an entry; one that is drawn anew while its parent opens may miss the click. */
  private async unfold(node: Locator): Promise<void> {
    const closed = node.locator('.ant-tree-switcher_close')
    if (await closed.count()) await closed.dispatchEvent('click', undefined, { timeout: 500 })
    await expect(node.locator('.ant-tree-switcher_open')).toHaveCount(1, { timeout: 500 })
  }

  /** Chooses a part by its way through the tree, e.g. Columns, Status. */
  async choose(...way: string[]): Promise<void> {
    for (const [index, name] of way.entries()) {
      // entries move and are drawn anew while the tree opens: the event goes to the entry itself, wherever it stands
      await expect(async () => {
        const node = await this.reach(name)
        if (index < way.length - 1) return this.unfold(node)
        await node.locator('.ant-tree-node-content-wrapper').dispatchEvent('click', undefined, { timeout: 1_000 })
        // until then the panel is that of what was chosen before
        await expect(node.locator('.ant-tree-node-selected')).toHaveCount(1, { timeout: 5_000 })
      }).toPass({ timeout: 20_000 })
    }
    await expect(this.panel).toBeVisible()
  }

  /** Drags an entry of the tree onto another one that is seen with it: behind it, or to the beginning of a list. */
  async drag(name: string, onto: string): Promise<void> {
    await this.node(name).dragTo(this.node(onto))
  }

  /** Adds a field of the entity to the list that is chosen. */
  async addField(name: string): Promise<void> {
    await this.panel.getByRole('combobox', { name: 'Add a field' }).fill(name)
    await this.page.locator('.ant-select-item-option:visible').filter({ hasText: name }).first().click()
  }

  /** Adds something with a name of its own to the list that is chosen; a field of an entity is of a kind, else a text. */
  async addNamed(id: string, kind?: string): Promise<void> {
    if (kind !== undefined) {
      await this.panel.getByRole('combobox', { name: 'Kind of the field' }).fill(kind)
      await this.page.keyboard.press('Enter')
    }
    const box = this.panel.getByRole('textbox', { name: /^New (id|group: id) \(letters and digits\)$/ })
    await box.fill(id)
    await box.press('Enter')
  }

  /** A button of the panel: Move up, Remove, Duplicate ... */
  async press(name: string): Promise<void> {
    await this.panel.getByRole('button', { name, exact: true }).first().click()
  }

  /** The control of a setting, from behind "More settings" where it stands there. */
  async control(label: string, within: Locator = this.panel): Promise<Locator> {
    const found = within
      .locator('.sb-design-control')
      .filter({ has: this.page.locator('> .sb-design-label', { hasText: new RegExp(`^${escape(label)}$`) }) })
      .first()
    if ((await found.count()) === 0) await this.panel.getByRole('button', { name: 'More settings' }).click()
    await expect(found).toBeVisible()
    return found
  }

  /** Sets one word: chooses of a list, or types; a text is set in both languages. */
  async set(label: string, value: string | { zh: string; en: string }, within?: Locator): Promise<void> {
    const control = await this.control(label, within)
    if (typeof value !== 'string') {
      await control.getByRole('textbox', { name: /\(Chinese\)$/ }).fill(value.zh)
      await control.getByRole('textbox', { name: /\(English\)$/ }).fill(value.en)
      return
    }
    // conditions are shown above the expression that says them
    const line = control.locator('textarea.sb-design-mono')
    if (value.startsWith('{{') && (await line.count())) {
      await line.first().fill(value)
      return line.first().blur()
    }
    // a value of a field is chosen from its own control
    const given = control.locator('.sb-design-given')
    if (await given.count()) {
      const choice = given.locator('label.sb-option').filter({ hasText: new RegExp(`^${escape(value)}$`) })
      if (await choice.count()) return choice.locator('input').check()
      await given.locator('input').first().fill(value)
      return given.locator('input').first().blur()
    }
    const select = control.locator('.ant-select:not(.ant-select-auto-complete)')
    if (await select.count()) {
      const input = select.locator('input')
      await select.click()
      if (await input.isEditable()) await input.fill(value)
      await this.page
        .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option')
        .filter({ hasText: new RegExp(`^${escape(value)}( · |$)`) })
        .first()
        .click()
      if ((await input.getAttribute('aria-expanded')) === 'true') await input.press('Escape')
      return
    }
    const input = control.locator('textarea:not([aria-hidden]), input').first()
    await input.fill(value)
    await input.blur()
  }

  /** Gives the draft up. */
  async discard(): Promise<void> {
    await this.page.getByRole('button', { name: 'Discard draft' }).click()
    await this.page.getByRole('dialog').getByRole('button', { name: 'Discard draft' }).click()
  }

  /** Puts the chosen part into another one by the menu. */
  async moveTo(part: string): Promise<void> {
    await this.press('Move to…')
    await this.page.getByRole('menuitem', { name: part, exact: true }).click()
  }

  async saved(): Promise<void> {
    await expect(this.page.getByText('Draft saved')).toBeVisible()
  }

  get review(): Locator {
    return this.page.getByRole('dialog', { name: 'Review and release' })
  }

  /** Opens the check of the draft and fills in the release. */
  async check({ stage = 'Everybody', title = 'Everyday change', reason = 'Asked for by sales', from, says }: ReleaseTerms = {}) {
    await this.page.getByRole('button', { name: 'Review and release' }).click()
    const { review } = this
    await expect(review.getByRole('heading', { name: 'What it concerns' })).toBeVisible()
    if (says !== undefined) await expect(review.getByText(says)).toBeVisible()
    // data and menus are one for everybody
    const stages = review.getByRole('radio', { name: stage })
    if (await stages.count()) await stages.click()
    await review.getByRole('textbox', { name: 'Title' }).fill(title)
    await review.getByRole('textbox', { name: 'Reason' }).fill(reason)
    if (from === undefined) return
    await review.getByRole('radio', { name: 'At a time' }).click()
    const when = review.getByRole('textbox', { name: 'In force from' })
    await when.fill(from)
    await when.press('Tab')
  }

  /** Checks and releases the draft; ends when it is in force or scheduled. */
  async release(terms: ReleaseTerms = {}): Promise<void> {
    await this.check(terms)
    if (terms.risky) {
      const boxes = this.review.getByRole('checkbox')
      await expect(boxes.first()).toBeVisible()
      await expect(this.review.getByRole('button', { name: 'Release', exact: true })).toBeDisabled()
      for (const box of await boxes.all()) await box.check()
    }
    await this.send(terms.from === undefined ? 'Release' : 'Schedule')
  }

  async send(button: 'Release' | 'Schedule' = 'Release'): Promise<void> {
    await this.review.getByRole('button', { name: button, exact: true }).click()
    await expect(this.review).toHaveCount(0)
  }
}
