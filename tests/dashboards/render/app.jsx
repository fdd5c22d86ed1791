import { createDataFrame, createTheme, dateTime, FieldType, getDisplayProcessor } from '@grafana/data';
import {
  BigValue,
  BigValueColorMode,
  BigValueGraphMode,
  BigValueJustifyMode,
  BigValueTextMode,
  GlobalStyles,
  ThemeContext,
  TimeSeries,
} from '@grafana/ui';
import React from 'react';
import { createRoot } from 'react-dom/client';

const { dashboard, results, from, to } = window.DATA;
const theme = createTheme({ colors: { mode: 'dark' } });
const ROW_HEIGHT = 38;
const COLUMN_WIDTH = 65;
const GAP = 8;
const TITLE_HEIGHT = 28;

/** What Grafana's own editor fills in where a panel leaves it out. */
const CUSTOM = {
  lineInterpolation: 'linear',
  barAlignment: 0,
  axisPlacement: 'auto',
  pointSize: 5,
  gradientMode: 'none',
  scaleDistribution: { type: 'linear' },
  hideFrom: { tooltip: false, viz: false, legend: false },
};

function legend(target, labels) {
  return target.legendFormat.replace(/\{\{(\w+)}}/g, (_, label) => labels[label] ?? '');
}

function configOf(panel, name) {
  const { defaults, overrides } = panel.fieldConfig;
  const config = { ...defaults, displayName: name, custom: { ...CUSTOM, ...defaults.custom } };
  for (const { id, value } of overrides.filter((o) => o.matcher.options === name).flatMap((o) => o.properties)) {
    if (id.startsWith('custom.')) {
      config.custom[id.slice('custom.'.length)] = value;
    } else {
      config[id] = value;
    }
  }
  return config;
}

function frames(panel) {
  const found = [];
  panel.targets.forEach((target, index) => {
    for (const series of results[`${panel.id}:${index}`]) {
      const name = legend(target, series.metric);
      const frame = createDataFrame({
        refId: target.refId,
        fields: [
          { name: 'Time', type: FieldType.time, values: series.values.map(([at]) => at * 1000), config: {} },
          {
            name: 'Value',
            type: FieldType.number,
            values: series.values.map(([, value]) => Number(value)),
            config: configOf(panel, name),
          },
        ],
      });
      frame.fields[1].state = { seriesIndex: found.length, displayName: name };
      for (const field of frame.fields) {
        field.display = getDisplayProcessor({ field, theme });
      }
      found.push(frame);
    }
  });
  return found;
}

function Content({ panel, width, height }) {
  const series = frames(panel);
  if (series.length === 0) {
    return <div style={{ color: theme.colors.warning.text, padding: GAP }}>No data</div>;
  }
  if (panel.type !== 'timeseries') {
    // The overview's table and bars are drawn by plugins, which no package has: their first value stands for them.
    const field = series[0].fields[1];
    return (
      <BigValue
        theme={theme}
        width={width}
        height={height}
        value={field.display(field.values.at(-1))}
        colorMode={BigValueColorMode.Background}
        graphMode={BigValueGraphMode.None}
        justifyMode={BigValueJustifyMode.Center}
        textMode={BigValueTextMode.Value}
      />
    );
  }
  return (
    <TimeSeries
      frames={series}
      width={width}
      height={height}
      timeRange={{ from: dateTime(from), to: dateTime(to), raw: { from: '', to: '' } }}
      timeZone="utc"
      legend={{ showLegend: true, displayMode: 'list', placement: 'bottom', calcs: [] }}
      options={{}}
    />
  );
}

function Panel({ panel }) {
  const { x, y, w, h } = panel.gridPos;
  const row = panel.type === 'row';
  const place = {
    position: 'absolute',
    left: x * COLUMN_WIDTH,
    top: y * ROW_HEIGHT,
    width: w * COLUMN_WIDTH - GAP,
    height: h * ROW_HEIGHT - GAP,
    overflow: 'hidden',
  };
  const card = { background: theme.colors.background.primary, border: `1px solid ${theme.colors.border.weak}` };
  return (
    <div style={row ? place : { ...place, ...card }}>
      <div style={{ padding: '5px 8px', fontSize: row ? 15 : 13, height: TITLE_HEIGHT, whiteSpace: 'nowrap' }}>
        {row ? `▾ ${panel.title}` : panel.title}
      </div>
      {row || <Content panel={panel} width={place.width - 2} height={place.height - TITLE_HEIGHT - GAP} />}
    </div>
  );
}

createRoot(document.getElementById('root')).render(
  <ThemeContext.Provider value={theme}>
    <GlobalStyles />
    <div style={{ padding: 12, color: theme.colors.text.primary, fontFamily: theme.typography.fontFamily }}>
      <h2 style={{ margin: 0, fontSize: 20 }}>{dashboard.title}</h2>
      <p style={{ color: theme.colors.text.secondary, margin: '4px 0 8px' }}>
        {dashboard.description} {dashboard.links.map(({ title }) => `[${title}]`).join(' ')}
      </p>
      <div style={{ position: 'relative' }}>
        {dashboard.panels.map((panel) => (
          <Panel key={panel.id} panel={panel} />
        ))}
      </div>
    </div>
  </ThemeContext.Provider>,
);
