package io.sluice.dashboards;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes the source of a dashboard as Grafana's JSON, with panels from left to right in the order of the source. */
final class PartJson {
    static final String OVERVIEW = "sluice-overview";

    private static final int COLUMNS = 24;
    private static final int SCHEMA = 39;
    private static final String CONSOLE = "http://127.0.0.1:8080";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<String, String> VALUES_OF = Map.of(
            "node", "label_values(sluice_ledger_node_complete, node)",
            "process", "label_values(up{job=~\"sluice.*\"}, instance)");

    private final ArrayNode panels = JSON.createArrayNode();
    private int nextId = 1;
    private int x;
    private int y;
    private int lineHeight;

    private PartJson() {}

    static String of(String uid, Part part) throws JsonProcessingException {
        return new PartJson().write(uid, part);
    }

    private String write(String uid, Part part) throws JsonProcessingException {
        for (var row : part.rows()) {
            beginLine();
            panels.add(place(JSON.createObjectNode().put("type", "row").put("title", row.title()), COLUMNS, 1)
                    .put("collapsed", false)
                    .set("panels", JSON.createArrayNode()));
            row.panels().forEach(panel -> panels.add(panel(panel)));
        }
        var dashboard = JSON.createObjectNode()
                .put("title", part.title())
                .put("uid", uid)
                .put("description", part.about())
                .put("schemaVersion", SCHEMA)
                .put("version", 1)
                .put("editable", true)
                .put("graphTooltip", 1)
                .put("timezone", "browser")
                .put("refresh", "10s");
        dashboard.set("tags", JSON.createArrayNode().add("sluice"));
        dashboard.set("time", JSON.createObjectNode().put("from", "now-1h").put("to", "now"));
        dashboard.set("annotations", JSON.createObjectNode().set("list", JSON.createArrayNode()));
        dashboard.set("links", links(part.console()));
        dashboard.set("templating", JSON.createObjectNode().set("list", variables(part.variables())));
        dashboard.set("panels", panels);
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(dashboard) + "\n";
    }

    private static ArrayNode links(String page) {
        return JSON.createArrayNode()
                .add(link("Overview", "/d/" + OVERVIEW).put("keepTime", true).put("includeVars", true))
                .add(link("Console", "${console}/#/" + page).put("targetBlank", true));
    }

    private static ObjectNode link(String title, String url) {
        var link = JSON.createObjectNode()
                .put("title", title)
                .put("type", "link")
                .put("icon", "external link")
                .put("url", url);
        link.set("tags", JSON.createArrayNode());
        return link;
    }

    private static ArrayNode variables(List<String> named) {
        var list = JSON.createArrayNode()
                .add(JSON.createObjectNode()
                        .put("name", "datasource")
                        .put("label", "Data source")
                        .put("type", "datasource")
                        .put("query", "prometheus")
                        .put("refresh", 1)
                        .put("hide", 0));
        named.forEach(name -> list.add(variable(name)));
        return list.add(JSON.createObjectNode()
                .put("name", "console")
                .put("label", "Console")
                .put("type", "textbox")
                .put("query", CONSOLE)
                .put("hide", 0));
    }

    private static ObjectNode variable(String name) {
        var values = VALUES_OF.get(name);
        var variable = JSON.createObjectNode()
                .put("name", name)
                .put("label", Character.toUpperCase(name.charAt(0)) + name.substring(1))
                .put("type", "query")
                .put("definition", values)
                .put("refresh", 2)
                .put("sort", 1)
                .put("hide", 0)
                .put("includeAll", true)
                .put("allValue", ".*")
                .put("multi", true);
        variable.set("datasource", datasource());
        variable.set("query", JSON.createObjectNode().put("query", values).put("refId", name));
        variable.set(
                "current",
                JSON.createObjectNode()
                        .<ObjectNode>set("text", JSON.createArrayNode().add("All"))
                        .set("value", JSON.createArrayNode().add("$__all")));
        return variable;
    }

    private ObjectNode panel(Part.Panel source) {
        boolean stat = source.kind() == Part.Kind.stat;
        var panel = place(
                JSON.createObjectNode()
                        .put("type", stat ? "stat" : "timeseries")
                        .put("title", source.title())
                        .put("description", source.about()),
                source.columns(),
                source.kind().height());
        panel.set("datasource", datasource());
        var targets = JSON.createArrayNode();
        var queries = source.all();
        for (int i = 0; i < queries.size(); i++) {
            targets.add(target((char) ('A' + i), queries.get(i), stat));
        }
        panel.set("targets", targets);
        panel.set("fieldConfig", stat ? statFields(source) : graphFields(source));
        panel.set("options", stat ? statOptions() : graphOptions());
        return panel;
    }

    private static ObjectNode target(char refId, Part.Query query, boolean instant) {
        var target = JSON.createObjectNode()
                .put("refId", String.valueOf(refId))
                .put("editorMode", "code")
                .put("expr", query.query())
                .put("legendFormat", query.legend())
                .put("instant", instant)
                .put("range", !instant);
        target.set("datasource", datasource());
        return target;
    }

    private static ObjectNode statFields(Part.Panel source) {
        var steps = JSON.createArrayNode()
                .add(JSON.createObjectNode()
                        .put("color", Optional.ofNullable(source.base()).orElse("green"))
                        .putNull("value"));
        source.steps()
                .forEach((color, from) ->
                        steps.add(JSON.createObjectNode().put("color", color).put("value", from)));
        return fields(
                source.unit(), "thresholds", steps, JSON.createObjectNode().set("mappings", JSON.createArrayNode()));
    }

    private static ObjectNode graphFields(Part.Panel source) {
        boolean lined = source.line() != null;
        var steps = JSON.createArrayNode()
                .add(JSON.createObjectNode()
                        .put("color", lined ? "transparent" : "green")
                        .putNull("value"));
        if (lined) {
            steps.add(JSON.createObjectNode().put("color", "red").put("value", source.line()));
        }
        var custom = JSON.createObjectNode()
                .put("drawStyle", "line")
                .put("lineWidth", 2)
                .put("fillOpacity", source.stacked() ? 25 : 5)
                .put("showPoints", "never")
                .put("spanNulls", true);
        custom.set(
                "stacking",
                JSON.createObjectNode()
                        .put("mode", source.stacked() ? "normal" : "none")
                        .put("group", "A"));
        custom.set("thresholdsStyle", JSON.createObjectNode().put("mode", lined ? "line" : "off"));
        var fields = fields(
                source.unit(),
                "palette-classic",
                steps,
                JSON.createObjectNode().put("min", 0).set("custom", custom));
        Optional.ofNullable(source.dashed())
                .ifPresent(lines -> lines.forEach(
                        (legend, color) -> fields.withArray("overrides").add(dashed(legend, color))));
        return fields;
    }

    private static ObjectNode fields(String unit, String colors, ArrayNode steps, ObjectNode more) {
        var defaults = JSON.createObjectNode().put("unit", unit);
        defaults.set("color", JSON.createObjectNode().put("mode", colors));
        defaults.set(
                "thresholds", JSON.createObjectNode().put("mode", "absolute").set("steps", steps));
        defaults.setAll(more);
        return JSON.createObjectNode().<ObjectNode>set("defaults", defaults).set("overrides", JSON.createArrayNode());
    }

    /** A line that bounds the stack and is no part of it. */
    private static ObjectNode dashed(String legend, String color) {
        var override = JSON.createObjectNode();
        override.set("matcher", JSON.createObjectNode().put("id", "byName").put("options", legend));
        override.withArray("properties")
                .add(property("custom.stacking")
                        .set("value", JSON.createObjectNode().put("mode", "none")))
                .add(property("custom.fillOpacity").put("value", 0))
                .add(property("custom.lineStyle")
                        .set(
                                "value",
                                JSON.createObjectNode()
                                        .put("fill", "dash")
                                        .set(
                                                "dash",
                                                JSON.createArrayNode().add(8).add(4))))
                .add(property("color")
                        .set(
                                "value",
                                JSON.createObjectNode().put("mode", "fixed").put("fixedColor", color)));
        return override;
    }

    private static ObjectNode property(String id) {
        return JSON.createObjectNode().put("id", id);
    }

    private static ObjectNode statOptions() {
        var options = JSON.createObjectNode()
                .put("colorMode", "background")
                .put("graphMode", "none")
                .put("justifyMode", "center")
                .put("orientation", "auto")
                .put("textMode", "value")
                .put("wideLayout", true);
        options.set(
                "reduceOptions",
                JSON.createObjectNode()
                        .put("fields", "")
                        .put("values", false)
                        .set("calcs", JSON.createArrayNode().add("lastNotNull")));
        return options;
    }

    private static ObjectNode graphOptions() {
        var options = JSON.createObjectNode();
        options.set(
                "legend",
                JSON.createObjectNode()
                        .put("showLegend", true)
                        .put("displayMode", "table")
                        .put("placement", "bottom")
                        .put("sortBy", "Max")
                        .put("sortDesc", true)
                        .set("calcs", JSON.createArrayNode().add("lastNotNull").add("max")));
        options.set("tooltip", JSON.createObjectNode().put("mode", "multi").put("sort", "desc"));
        return options;
    }

    private static ObjectNode datasource() {
        return JSON.createObjectNode().put("type", "prometheus").put("uid", "${datasource}");
    }

    /** Gives a panel its id and the next free place, on a new line if this one has no room for it. */
    private ObjectNode place(ObjectNode panel, int width, int height) {
        if (x + width > COLUMNS) {
            beginLine();
        }
        panel.put("id", nextId++);
        panel.set(
                "gridPos",
                JSON.createObjectNode()
                        .put("h", height)
                        .put("w", width)
                        .put("x", x)
                        .put("y", y));
        x += width;
        lineHeight = Math.max(lineHeight, height);
        return panel;
    }

    private void beginLine() {
        y += lineHeight;
        x = 0;
        lineHeight = 0;
    }
}
