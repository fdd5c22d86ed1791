package io.sluice.placement;

import io.sluice.placement.core.devices.DevicePolicy;
import io.sluice.placement.core.devices.FreeDevices;
import io.sluice.placement.core.devices.TypicalPods;
import io.sluice.placement.core.plugins.LiveLoad;
import io.sluice.placement.core.plugins.PlacementPlugin;
import io.sluice.placement.core.plugins.ReadyLedger;
import io.sluice.placement.core.plugins.ReservedRoom;
import io.sluice.placement.core.plugins.ReservedShare;
import io.sluice.placement.core.plugins.RoomOfOthers;
import io.sluice.placement.core.plugins.RoomScore;
import io.sluice.placement.core.plugins.Utilisation;
import io.sluice.placement.core.utilisation.UtilisationTable;
import io.sluice.placement.core.zones.AlignedZones;
import io.sluice.placement.core.zones.ZoneScore;
import io.sluice.placement.elastic.ElasticConfig;
import io.sluice.shell.load.LoadPolicy;
import io.sluice.shell.load.LoadScore;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The section {@code placement} of the configuration: which of the nodes with room a pod should go to, and whether pods
 * are placed without kube-scheduler. By the policy {@code reserved} a node's score rises in a line from
 * {@code scoreAtEmpty} at nothing reserved to 1 at {@code scorePeak}, and falls in a line to {@code scoreAtFull} at all
 * reserved.
 *
 * @param policy by what nodes are scored: what is {@code reserved} on them, or what is in use on them now, to
 *     {@code pack} VMs or to {@code spread} them
 * @param scoreAtEmpty the score of an empty node, 0 to 1
 * @param scorePeak the reserved share with the best score, 0 to 1: 0 spreads pods, 1 packs them
 * @param scoreAtFull the score of a full node, 0 to 1
 * @param schedulerName the {@code schedulerName} of pods that Sluice places without kube-scheduler; empty for none. No
 *     kube-scheduler may serve the same name
 * @param preemption whether pods of lower priority are evicted for a pod that no node can take: any pod of the own
 *     scheduler, or one of kube-scheduler that only the ledger is short of room for
 * @param gangs whether and how pods that name a gang start together
 * @param utilisation whether nodes are scored by what was measured on them
 * @param elastic whether jobs are scaled that may have more or fewer members
 * @param devices by what nodes with GPUs are scored for a pod that requests some: how little becomes {@code fragments}
 *     that pods like those before cannot use, or how far its devices {@code fill}
 * @param zones by what nodes are scored for a pod whose kubelet aligns it to NUMA zones, where {@code cluster.zones}
 *     has them read
 */
public record PlacementConfig(
        LoadPolicy policy,
        double scoreAtEmpty,
        double scorePeak,
        double scoreAtFull,
        String schedulerName,
        boolean preemption,
        GangsConfig gangs,
        UtilisationConfig utilisation,
        ElasticConfig elastic,
        DevicePolicy devices,
        ZoneScore zones) {
    private static final String KUBERNETES = "default-scheduler";
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?");

    /** What a pod's reason names where evictions might help. */
    public static final String NO_PREEMPTION =
            "pods of lower priority are not evicted for it, as placement.preemption is off";

    /** The defaults, which are those of the reference's scheduler plugin. */
    public static final PlacementConfig DEFAULTS = new PlacementConfig(
            LoadPolicy.RESERVED,
            0.5,
            0.8,
            0,
            "",
            false,
            GangsConfig.DEFAULTS,
            UtilisationConfig.DEFAULTS,
            ElasticConfig.DEFAULTS,
            DevicePolicy.FRAGMENTS,
            ZoneScore.LEAST_ALLOCATED);

    public PlacementConfig {
        Objects.requireNonNull(policy, "placement.policy");
        requireShare("scoreAtEmpty", scoreAtEmpty);
        requireShare("scorePeak", scorePeak);
        requireShare("scoreAtFull", scoreAtFull);
        if (schedulerName.equals(KUBERNETES)) {
            throw new IllegalArgumentException("placement.schedulerName=" + KUBERNETES
                    + " is the name of the Kubernetes cluster's own scheduler; it must be another one");
        }
        if (!schedulerName.isEmpty() && !NAME.matcher(schedulerName).matches()) {
            throw new IllegalArgumentException("placement.schedulerName=" + schedulerName
                    + " must be of lower-case letters, digits, dots and dashes, or empty");
        }
        Objects.requireNonNull(gangs, "placement.gangs");
        if (gangs.preemption() && !preemption) {
            throw new IllegalArgumentException("placement.gangs.preemption=true needs placement.preemption=true");
        }
        Objects.requireNonNull(utilisation, "placement.utilisation");
        Objects.requireNonNull(elastic, "placement.elastic");
        Objects.requireNonNull(devices, "placement.devices");
        Objects.requireNonNull(zones, "placement.zones");
        if (utilisation.enabled() && policy == LoadPolicy.RESERVED) {
            throw new IllegalArgumentException(
                    "placement.utilisation.enabled=true needs placement.policy pack or spread, not reserved");
        }
    }

    /** Without a score by what was measured, and without elastic jobs. */
    public PlacementConfig(
            LoadPolicy policy,
            double scoreAtEmpty,
            double scorePeak,
            double scoreAtFull,
            String schedulerName,
            boolean preemption,
            boolean gangs) {
        this(
                policy,
                scoreAtEmpty,
                scorePeak,
                scoreAtFull,
                schedulerName,
                preemption,
                GangsConfig.of(gangs),
                UtilisationConfig.DEFAULTS,
                ElasticConfig.DEFAULTS,
                DevicePolicy.FRAGMENTS,
                ZoneScore.LEAST_ALLOCATED);
    }

    /** Whether a process has to know all that scheduling reads. */
    public boolean readsScheduling() {
        return schedules() || preemption || gangs.enabled();
    }

    /** Whether pods are placed without kube-scheduler. */
    public boolean schedules() {
        return !schedulerName.isEmpty();
    }

    /** The score by what is reserved. */
    public ReservedShare share() {
        return new ReservedShare(scoreAtEmpty, scorePeak, scoreAtFull);
    }

    /**
     * The score of nodes by the policy.
     *
     * @param table what was measured
     */
    public RoomScore score(UtilisationTable table) {
        return policy.score().<RoomScore>map(mode -> byUse(mode, table)).orElseGet(this::share);
    }

    private RoomScore byUse(LoadScore mode, UtilisationTable table) {
        return utilisation.enabled()
                ? new Utilisation(
                        utilisation.rules(mode), table, utilisation.prometheus().isUsed(), Optional.empty())
                : new LiveLoad(mode);
    }

    /** The rules in the order in which they filter. */
    public List<PlacementPlugin> plugins(RoomScore score, TypicalPods typical) {
        return List.of(
                new ReadyLedger(),
                new ReservedRoom(),
                new FreeDevices(),
                new AlignedZones(zones),
                new RoomOfOthers(),
                score,
                devices.score(typical));
    }

    private static void requireShare(String key, double value) {
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException("placement." + key + "=" + value + " must be between 0 and 1");
        }
    }
}
