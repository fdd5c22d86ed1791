package io.sluice.replay.core.fleet;

import java.util.List;
import java.util.function.Supplier;

/** The policies of the consolidation papers, with the parameters of their published results; of peers; and our own. */
public enum FleetPolicy {
    LR_MMT("LR-MMT-1.2", () -> new Consolidation(OverloadRule.regression(1.2))),
    MAD_MMT("MAD-MMT-2.5", () -> new Consolidation(OverloadRule.deviation(2.5))),
    IQR_MMT("IQR-MMT-1.5", () -> new Consolidation(OverloadRule.quartileRange(1.5))),
    THR_MMT("THR-MMT-0.8", () -> new Consolidation(OverloadRule.threshold(0.8))),
    /** No migrations: CPUs clock down. */
    DVFS("DVFS", () -> nodes -> List.of()),
    /** The defaults: 30 %, 10 %, three rounds of 10 s before each move. */
    PROXMOX("Proxmox-VE-9", () -> new ImbalanceRule(new ImbalanceRule.Values(0.3, 0.1, 10, 16))),
    /** {@code AsymmetricLow}, a run a minute, and the limits of the documentation. */
    OPENSHIFT("OpenShift-KVRM", () -> new DeviationRule(new DeviationRule.Values(0.1, 0, 2, 5, 5))),
    SLUICE("sluice", () -> new PackingConsolidation(new PackingConsolidation.Values(0.95, 0.7, 0.4, 12, 0.5)));

    private final String key;
    private final Supplier<MoveRule> rule;

    FleetPolicy(String key, Supplier<MoveRule> rule) {
        this.key = key;
        this.rule = rule;
    }

    /** Its name in reports. */
    public String key() {
        return key;
    }

    /** A rule for one day. */
    MoveRule rule() {
        return rule.get();
    }

    boolean placesByPower() {
        return this != DVFS;
    }
}
