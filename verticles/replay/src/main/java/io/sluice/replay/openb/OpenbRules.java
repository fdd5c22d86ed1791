package io.sluice.replay.openb;

import io.sluice.placement.PlacementConfig;
import io.sluice.placement.core.devices.BestFit;
import io.sluice.placement.core.devices.DevicePolicy;
import io.sluice.placement.core.devices.Fragmentation;
import io.sluice.placement.core.devices.FreeDevices;
import io.sluice.placement.core.devices.TypicalPods;
import io.sluice.placement.core.plugins.PlacementPlugin;
import io.sluice.placement.core.plugins.ReadyLedger;
import io.sluice.placement.core.plugins.ReservedRoom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The rules for nodes that a replay of the trace compares: the pipeline of production first. */
public final class OpenbRules {
    private OpenbRules() {}

    /** The rules by the name of their score. */
    public static Map<String, List<PlacementPlugin>> of(OpenbTrace trace) {
        var typical = new TypicalPods();
        for (int i = 0; i < trace.tasks().size(); i++) {
            typical.came(trace.tasks().get(i).pod("before-" + i));
        }
        var rules = new LinkedHashMap<String, List<PlacementPlugin>>();
        rules.put("fragments", PlacementConfig.DEFAULTS.plugins(PlacementConfig.DEFAULTS.share(), typical));
        rules.put("FGD", compared(new Fragmentation(typical)));
        rules.put("fill", compared(PlacementConfig.DEFAULTS.share(), DevicePolicy.FILL.score(typical)));
        rules.put("best fit", compared(new BestFit()));
        return rules;
    }

    /** The filters of production with other scores. */
    public static List<PlacementPlugin> compared(PlacementPlugin... scores) {
        var rules = new ArrayList<PlacementPlugin>(List.of(new ReadyLedger(), new ReservedRoom(), new FreeDevices()));
        rules.addAll(List.of(scores));
        return rules;
    }
}
