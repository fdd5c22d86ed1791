package io.sluice.replay.core.vm;

import io.sluice.agent.core.policy.ReferencePolicy;
import io.sluice.agent.core.policy.Scrape;
import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.replay.core.score.VmScore;
import io.sluice.replay.core.trace.TraceSeries;
import java.util.List;
import java.util.Optional;

/**
 * A VM in virtual time that production's core scales, with one resource, or with both: then it gets the larger of both
 * goals in both.
 */
public final class ScaledReplay {
    private final VmModel model;
    private final boolean exact;
    private final ReplayedResource[] resources;
    private final ReplayedResource main;
    private final Optional<ReplayedResource> memory;
    private final ScaledVm vm;
    private final boolean reportsLoads;
    private double cpuShare = 1;
    private int goalBefore = -1;
    private long now;

    ScaledReplay(
            VmModel model,
            CoreConfig core,
            boolean exact,
            List<ReplayedResource> resources,
            long most,
            long start,
            PermitSource permits) {
        this.model = model;
        this.exact = exact;
        this.resources = resources.toArray(ReplayedResource[]::new);
        main = resources.getFirst();
        memory = resources.stream().filter(resource -> !resource.isCpu()).findFirst();
        vm = new ScaledVm(core, model, most, start, permits);
        reportsLoads = permits != PermitSource.ROOM_FOR_ALL;
    }

    VmScore run(int from) {
        var series = main.series();
        for (int sample = from; sample < series.samples().length; sample++) {
            for (int second = 0; second < series.periodSeconds(); second += model.scrapeSeconds()) {
                scrape(sample, second);
            }
            end(sample);
        }
        return scores().getFirst();
    }

    /** Its replay begins so many seconds after the others', with a sample whose demand it has had for long. */
    public void begin(int sample, long at) {
        now = at;
        for (var resource : resources) {
            resource.hasRun(sample);
        }
    }

    /** The time from this second of a sample to the next scrape; scrapes come in their order. */
    public void scrape(int sample, int second) {
        for (var resource : resources) {
            resource.moveTo(sample, second);
        }
        step(Math.min(model.scrapeSeconds(), main.series().periodSeconds() - second));
    }

    /** The sample is over. */
    public void end(int sample) {
        for (var resource : resources) {
            resource.end(sample, vm.resizes());
        }
    }

    /** What it was given and lacked of each resource. */
    public List<VmScore> scores() {
        return List.of(resources).stream()
                .map(resource -> resource.score(vm.resizes()))
                .toList();
    }

    /** What the VM uses of its memory now, in compute units. */
    public double memoryUnits() {
        return memory.map(ReplayedResource::units).orElse(0.0);
    }

    /** The size that its object has. */
    public long size() {
        return vm.size();
    }

    /** It begins to migrate: its size stays, and copying takes a part of its CPU. */
    public void migrates() {
        vm.moving(true, now);
        cpuShare = 1 - model.migrationCpuShare();
    }

    /** It runs on its new node after a stop, or remains on its old one. */
    public void migrated(boolean moved) {
        cpuShare = 1;
        if (moved) {
            for (var resource : resources) {
                resource.stopped(model.migrationDowntimeMillis() / 1_000.0);
            }
        }
        vm.moving(false, now);
    }

    /** A scrape, the decision that follows it, and the seconds until the next. */
    private void step(int seconds) {
        decide();
        int passed = 0;
        while (passed < seconds) {
            long event = vm.nextEvent();
            int until = event >= now + seconds - passed ? seconds : passed + (int) Math.max(0, event - now);
            if (until > passed) {
                for (var resource : resources) {
                    double usable = resource.isCpu() ? vm.usable() * cpuShare : vm.usable();
                    resource.passed(until - passed, usable, vm.reserved());
                }
                now += until - passed;
                passed = until;
            }
            if (passed < seconds) {
                vm.advance(now, memoryUnits());
            }
        }
        for (var resource : resources) {
            resource.scraped(now);
        }
    }

    private void decide() {
        var scrape = scraped();
        if (exact && main.policy() instanceof ReferencePolicy) {
            vm.metrics(ReferencePolicy.metrics(scrape), now);
            vm.advance(now, memory.map(ReplayedResource::unitsBefore).orElse(0.0));
            return;
        }
        int goal = main.policy().goal(scrape);
        for (int i = 1; i < resources.length; i++) {
            goal = Math.max(goal, resources[i].policy().goal(scrape));
        }
        if (exact || goal != goalBefore) {
            goalBefore = goal;
            if (reportsLoads) {
                vm.metrics(ReferencePolicy.metrics(scrape), now);
            }
            vm.goal(goal, now);
            vm.advance(now, memory.map(ReplayedResource::unitsBefore).orElse(0.0));
        }
    }

    private Scrape scraped() {
        int second = (int) ((main.series().startSecond() + now) % TraceSeries.DAY_SECONDS);
        var scrape = new Scrape(second, 0, 0, 0, 0, vm.usable());
        for (var resource : resources) {
            scrape = resource.addTo(scrape, vm.usable(), now);
        }
        return scrape;
    }
}
