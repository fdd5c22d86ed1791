package io.sluice.dashboards;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The dashboards that are checked in. */
final class Dashboards {
    static final Path FOLDER = Path.of("..", "..", "dashboards");

    private static final ObjectMapper JSON = new ObjectMapper();

    private Dashboards() {}

    /** Each dashboard by its uid. */
    static Map<String, JsonNode> all() throws IOException {
        var found = new TreeMap<String, JsonNode>();
        try (var files = Files.newDirectoryStream(FOLDER, "*.json")) {
            for (var file : files) {
                var dashboard = JSON.readTree(file.toFile());
                if (found.put(dashboard.path("uid").asText(), dashboard) != null) {
                    throw new IllegalStateException("two dashboards have the uid of " + file);
                }
            }
        }
        return found;
    }

    /** The panels of a dashboard, without its rows. */
    static List<JsonNode> panels(JsonNode dashboard) {
        var panels = new ArrayList<JsonNode>();
        dashboard.path("panels").forEach(panels::add);
        panels.removeIf(panel -> panel.path("type").asText().equals("row"));
        return panels;
    }

    /** The queries of all panels of a dashboard, with their legends. */
    static List<JsonNode> targets(JsonNode dashboard) {
        var targets = new ArrayList<JsonNode>();
        panels(dashboard).forEach(panel -> panel.path("targets").forEach(targets::add));
        return targets;
    }

    /** The query with Grafana's variables filled in, with all nodes and processes chosen. */
    static String filledIn(String query) {
        var filled = query.replace("$__rate_interval", "30s")
                .replace("$__range", "5m")
                .replace("$node", ".*")
                .replace("$process", ".*");
        if (filled.contains("$")) {
            throw new AssertionError("an unknown variable in " + query);
        }
        return filled;
    }
}
