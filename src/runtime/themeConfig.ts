import type { ThemeConfig } from 'antd'

export type ThemeName = 'light' | 'dark'

/** Height and icon size of the side menu's items (R408, R409). */
const NAV_ITEM = 42
const NAV_ICON = 20

/** Latin fonts first: Chinese ones draw quotes and dots of Latin text as wide as characters. */
const FONT =
  "-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'PingFang SC', 'Hiragino Sans GB', 'Microsoft YaHei', 'Noto Sans CJK SC', sans-serif"

/** The design tokens, one place for both themes. The algorithms are passed in, so that a script without a browser can use them. */
export function themeConfig(
  name: ThemeName,
  algorithms: { light: NonNullable<ThemeConfig['algorithm']>; dark: NonNullable<ThemeConfig['algorithm']> },
): ThemeConfig {
  const dark = name === 'dark'
  return {
    algorithm: dark ? algorithms.dark : algorithms.light,
    cssVar: { key: `switchboard-${name}` },
    hashed: false,
    token: {
      colorPrimary: dark ? '#3D73FF' : '#1F5EFF',
      colorInfo: dark ? '#3D73FF' : '#1F5EFF',
      colorLink: dark ? '#7DA2FF' : '#1F5EFF',
      // AA: antd's own red stays at 3.3:1 on white, and under 4.5:1 on the dark ground.
      colorError: dark ? '#FF7875' : '#CF1322',
      colorBgLayout: dark ? '#101114' : '#F5F6F8',
      colorBgContainer: dark ? '#17191D' : '#FFFFFF',
      colorBgElevated: dark ? '#1F2228' : '#FFFFFF',
      // AA: antd's own secondary greys stay under 4.5:1 on these grounds.
      colorTextSecondary: dark ? 'rgba(255,255,255,0.72)' : 'rgba(0,0,0,0.68)',
      colorTextTertiary: dark ? 'rgba(255,255,255,0.6)' : 'rgba(0,0,0,0.6)',
      colorTextDescription: dark ? 'rgba(255,255,255,0.65)' : 'rgba(0,0,0,0.6)',
      colorTextPlaceholder: dark ? 'rgba(255,255,255,0.58)' : 'rgba(0,0,0,0.58)',
      borderRadius: 6,
      fontSize: 14,
      fontFamily: FONT,
      controlHeight: 32,
      motionDurationSlow: '0.2s',
      motionDurationMid: '0.15s',
    },
    components: {
      Menu: {
        itemHeight: NAV_ITEM,
        iconSize: NAV_ICON,
        collapsedIconSize: NAV_ICON,
        itemBorderRadius: 6,
        itemMarginInline: 8,
        itemMarginBlock: 2,
        subMenuItemBg: 'transparent',
        itemBg: 'transparent',
        activeBarBorderWidth: 0,
        horizontalItemSelectedColor: dark ? '#9DB8FF' : '#1F5EFF',
        subMenuItemSelectedColor: dark ? '#9DB8FF' : '#1F5EFF',
        itemSelectedColor: dark ? '#9DB8FF' : '#1F5EFF',
      },
      // No red reaches AA both as text on the dark ground and under white text.
      Button: { dangerColor: dark ? '#1A0505' : '#FFFFFF' },
      Tabs: { itemSelectedColor: dark ? '#9DB8FF' : '#1F5EFF', itemActiveColor: dark ? '#9DB8FF' : '#1F5EFF' },
      // The text of an empty table or list is read as any other.
      Table: { colorTextDisabled: dark ? 'rgba(255,255,255,0.6)' : 'rgba(0,0,0,0.6)' },
      List: { colorTextDisabled: dark ? 'rgba(255,255,255,0.6)' : 'rgba(0,0,0,0.6)' },
      Segmented: { trackBg: dark ? '#26292F' : '#E6E8EC' },
      Message: { zIndexPopup: 3000 },
      Layout: { headerHeight: 52, headerPadding: 0 },
    },
  }
}
