package io.sluice.launcher.config;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.launcher.core.ConfigReload;
import io.sluice.shell.config.ConfigText;
import java.util.SortedMap;

/** The config that is in force: each key beside its default. Safe from any thread. */
public final class ConfigInForce {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final SortedMap<String, String> DEFAULTS = ConfigText.of(SluiceConfig.DEFAULTS);

    private volatile SluiceConfig config;

    public ConfigInForce(SluiceConfig started) {
        config = started;
    }

    public SluiceConfig config() {
        return config;
    }

    public void is(SluiceConfig taken) {
        config = taken;
    }

    /** {@code {"keys": [{"key", "value", "default", "live"}]}}, sorted by key. */
    public String json() {
        var page = JSON.createObjectNode();
        var keys = page.putArray("keys");
        ConfigText.of(config).forEach((key, value) -> keys.add(entry(key, value)));
        return page.toString();
    }

    private static ObjectNode entry(String key, String value) {
        return JSON.createObjectNode()
                .put("key", key)
                .put("value", value)
                .put("default", DEFAULTS.getOrDefault(key, ""))
                .put("live", ConfigReload.isLive(key));
    }
}
