package io.sluice.workers.agent;

import io.sluice.shell.LogKeys;
import io.sluice.units.Resources;
import io.sluice.workers.WireForm;
import io.sluice.workers.v1.Assign;
import io.sluice.workers.v1.InstanceReport;
import io.sluice.workers.v1.InstanceState;
import io.sluice.workers.v1.InstanceUsage;
import io.sluice.workers.v1.Resize;
import io.sluice.workers.v1.Stop;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The instances of this worker. Used on one context. Those that ended last stay in it. */
final class Instances {
    private static final Logger LOG = LoggerFactory.getLogger(Instances.class);
    private static final int ENDED_MAX = 200;

    private final Guards guards;
    private final ControlGroups groups;
    private final Definitions definitions;
    private final Executor context;
    private final Consumer<InstanceReport> reports;
    private final Map<String, Entry> entries = new TreeMap<>();

    /**
     * @param context runs on the context that uses this
     * @param reports receives each change
     */
    Instances(
            Guards guards,
            ControlGroups groups,
            Definitions definitions,
            Executor context,
            Consumer<InstanceReport> reports) {
        this.guards = guards;
        this.groups = groups;
        this.definitions = definitions;
        this.context = context;
        this.reports = reports;
    }

    private static final class Entry {
        private final String id;
        private long generation;
        private final boolean exclusive;
        private final ProcessHandle process;
        private InstanceState state = InstanceState.RUNNING;
        private String reason = "";
        private boolean stopping;
        private Optional<Assign> next = Optional.empty();
        private int exitCode;
        private long endedAtMs;

        Entry(Guards.Guard guard) {
            id = guard.instance();
            generation = guard.generation();
            exclusive = guard.exclusive();
            process = guard.process();
        }

        boolean isLive() {
            return state == InstanceState.RUNNING || state == InstanceState.DESTROYING;
        }

        InstanceReport report() {
            return InstanceReport.newBuilder()
                    .setInstanceId(id)
                    .setGeneration(generation)
                    .setState(state)
                    .setReason(reason)
                    .setExitCode(exitCode)
                    .setAtMs(System.currentTimeMillis())
                    .build();
        }
    }

    /** All instances, those included that have ended. */
    List<InstanceReport> inventory() {
        return entries.values().stream().map(Entry::report).toList();
    }

    /** The instances that run, each as id, colon and generation. */
    List<String> live() {
        return entries.values().stream()
                .filter(Entry::isLive)
                .map(entry -> entry.id + ":" + entry.generation)
                .toList();
    }

    /** What each of them uses. */
    List<InstanceUsage> use(MachineUse machine) {
        return entries.values().stream()
                .filter(Entry::isLive)
                .map(entry -> machine.of(entry.id, entry.process))
                .toList();
    }

    /**
     * Starts an instance, once: the same order may be repeated. An earlier start of it ends first.
     *
     * @return why it is not taken; empty if it is
     */
    Optional<String> assign(Assign order) {
        var known = Optional.ofNullable(entries.get(order.getInstanceId())).filter(Entry::isLive);
        if (known.filter(entry -> entry.generation >= order.getGeneration()).isPresent()) {
            reports.accept(known.get().report());
            return Optional.empty();
        }
        if (known.isPresent()) {
            var earlier = known.get();
            earlier.next = Optional.of(order);
            if (!earlier.stopping) {
                end(earlier);
            }
            return Optional.empty();
        }
        return start(order);
    }

    private Optional<String> start(Assign order) {
        try {
            var amounts = WireForm.amounts(order.getGrantList());
            var definition = definitions.read(order.getDefinition());
            // What an earlier start has left, where its guard and this program were killed.
            groups.remove(order.getInstanceId());
            var own = groups.limit(order.getInstanceId(), amounts);
            reports.accept(take(guards.start(
                            order.getInstanceId(),
                            order.getGeneration(),
                            order.getExclusive(),
                            definition.limited(groups.limits() ? amounts : Resources.NONE),
                            own))
                    .report());
            return Optional.empty();
        } catch (ProcessDefinition.Unfit unfit) {
            return Optional.of(unfit.getMessage());
        } catch (IOException failed) {
            LOG.atWarn().addKeyValue(LogKeys.VM, order.getInstanceId()).log("An instance could not be started.");
            return Optional.of("it could not be started");
        }
    }

    /** Takes over what an earlier run of this program started. */
    void adopt(List<Guards.Guard> earlier) {
        earlier.forEach(this::take);
    }

    private Entry take(Guards.Guard guard) {
        var entry = new Entry(guard);
        entries.put(entry.id, entry);
        guard.exit().thenAcceptAsync(exitCode -> ended(entry, exitCode), context);
        return entry;
    }

    private void ended(Entry entry, int exitCode) {
        entry.exitCode = exitCode;
        entry.endedAtMs = System.currentTimeMillis();
        boolean expected = entry.stopping || exitCode == 0;
        entry.state = expected ? InstanceState.TERMINATED : InstanceState.FAILED;
        entry.reason = entry.stopping ? "stopped" : "it exited with " + exitCode;
        guards.ended(entry.id);
        groups.remove(entry.id);
        forgetEarliest();
        reports.accept(entry.report());
        entry.next.ifPresent(order -> start(order)
                .ifPresent(reason -> reports.accept(InstanceReport.newBuilder()
                        .setInstanceId(entry.id)
                        .setGeneration(order.getGeneration())
                        .setState(InstanceState.FAILED)
                        .setReason(reason)
                        .setAtMs(System.currentTimeMillis())
                        .build())));
    }

    /** What has ended is reported again in the next session, as a report may be lost with its session. */
    private void forgetEarliest() {
        var ended = entries.values().stream().filter(entry -> !entry.isLive()).toList();
        if (ended.size() > ENDED_MAX) {
            ended.stream()
                    .min(Comparator.comparingLong(entry -> entry.endedAtMs))
                    .ifPresent(entry -> entries.remove(entry.id));
        }
    }

    /** Ends an instance; returns whether there is one. */
    boolean stop(Stop order) {
        var entry = entries.get(order.getInstanceId());
        if (entry == null || !entry.isLive()) {
            return false;
        }
        entry.next = entry.next.filter(next -> next.getGeneration() > order.getGeneration());
        if (entry.generation <= order.getGeneration()) {
            end(entry);
        }
        return true;
    }

    private void end(Entry entry) {
        entry.stopping = true;
        entry.state = InstanceState.DESTROYING;
        entry.process.destroy();
        reports.accept(entry.report());
    }

    /** Ends all of them; returns how many run. */
    int stopAll() {
        var live = entries.values().stream().filter(Entry::isLive).toList();
        live.stream().filter(entry -> !entry.stopping).forEach(this::end);
        return live.size();
    }

    /** Changes the size of an instance; returns why it cannot. */
    Optional<String> resize(Resize order) {
        var entry = entries.get(order.getInstanceId());
        if (entry == null || !entry.isLive()) {
            return Optional.of("it does not run here");
        }
        Resources amounts = WireForm.amounts(order.getGrantList());
        try {
            groups.limit(entry.id, amounts);
            guards.remember(entry.id, Math.max(entry.generation, order.getGeneration()), entry.exclusive);
        } catch (IOException refused) {
            return Optional.of("its limits could not be changed");
        }
        entry.generation = Math.max(entry.generation, order.getGeneration());
        return Optional.empty();
    }
}
