package io.sluice.dashboards;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The alerts that are checked in. */
final class Alerts {
    static final Path FILE = Dashboards.FOLDER.resolve("alerts.yaml");

    private Alerts() {}

    /** Each alert by its name, in the order of the file. */
    static Map<String, JsonNode> all() throws IOException {
        var alerts = new LinkedHashMap<String, JsonNode>();
        for (var group : new YAMLMapper().readTree(FILE.toFile()).path("groups")) {
            for (var rule : group.path("rules")) {
                if (alerts.put(rule.path("alert").asText(), rule) != null) {
                    throw new IllegalStateException("two alerts have the name of " + rule);
                }
            }
        }
        return alerts;
    }
}
