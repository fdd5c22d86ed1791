package io.sluice.replay;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.replay.core.vm.VmModel;
import io.sluice.shell.config.ConfigReader;
import io.sluice.shell.config.ConfigSources;
import java.util.Map;

/** Reads the assumptions of a replay from their names and values. */
public final class Assumptions {
    private Assumptions() {}

    /** The model with these values in place of its defaults. */
    public static VmModel of(Map<String, String> values) {
        var tree = JsonNodeFactory.instance.objectNode();
        values.forEach(tree::put);
        return ConfigReader.read(VmModel.class, VmModel.DEFAULTS, new ConfigSources(tree, Map.of(), Map.of()));
    }
}
