package io.sluice.agent.core.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.Consumer;

/**
 * One core among a scheduler, a driver and a monitor, in virtual time, over a network that loses, delays and repeats.
 * After every event, the scheduler's reservation is compared with what the VM may come to use, and what the VM is sure
 * to have with what its guest has accepted.
 */
final class LossyWorld {
    private static final Resources UNIT = new Resources(250, 1L << 30);
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private record Event(Instant at, long order, Runnable run) {}

    private final long seed;
    private final Random random;
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparing(Event::at).thenComparing(Event::order));
    private final List<LossyVm.Patch> onTheirWay = new ArrayList<>();
    private final LossyVm vm;
    private final LossyLedger ledger;
    private final LossyGuest guest;
    private final ScalingCore core;
    private final List<CoreEntry.Step> steps = new ArrayList<>();
    private Instant recordedFrom = Instant.MAX;
    private Instant now = Instant.EPOCH;
    private boolean faults = true;
    private long order;
    private long seq;
    private long fence;
    private long lastFence;
    private long requestId;
    private long patch;
    private long resize;
    private int observedVersion;
    private int version;
    private Optional<Event> timer = Optional.empty();

    LossyWorld(long seed, PermitSafety safety) {
        this.seed = seed;
        random = new Random(seed);
        vm = new LossyVm(random, anySize(), anySize());
        ledger = new LossyLedger(random, UNIT, LossyVm.MAX);
        guest = new LossyGuest(random);
        core = new ScalingCore(config(safety), vm.observed());
        every(Duration.ofMillis(1_000), this::scrape);
        every(Duration.ofMillis(700), this::reconcile);
        every(Duration.ofMillis(14_000), this::reconnect);
        in(Duration.ofMillis(10), () -> core.monitorActive(now));
    }

    private Resources anySize() {
        return UNIT.times(1 + random.nextInt(6));
    }

    /** Short waits, so that much happens while other requests are still under way. */
    private CoreConfig config(PermitSafety safety) {
        return new CoreConfig(
                UNIT,
                ScalingConfig.DEFAULTS,
                Duration.ofSeconds(5),
                Duration.ofMillis(500),
                Duration.ofMillis(300),
                Duration.ofMillis(700),
                Duration.ofMillis(300),
                Duration.ofMillis(1_000),
                Duration.ofMillis(2_000),
                safety,
                Duration.ofSeconds(3),
                seed % 2 == 0 ? ConfirmationMode.PATCH : ConfirmationMode.STATUS,
                Duration.ofSeconds(2),
                (int) (seed % 3));
    }

    /** The journal of the same life, from so long after its start on. */
    List<CoreEntry.Step> recorded(Duration after, Duration withFaults) {
        recordedFrom = now.plus(after);
        live(withFaults);
        return steps;
    }

    /** Runs for a while with faults, then without; in the end all sizes must have reached their final values. */
    void live(Duration withFaults) {
        run(now.plus(withFaults));
        faults = false;
        run(now.plusSeconds(40));
        assertThat(onTheirWay).as(where("patches under way")).isEmpty();
        assertThat(vm.spec())
                .as(where("size at rest"))
                .isEqualTo(core.state().desired().orElseThrow());
        assertThat(core.state().using()).as(where("size of the spec at rest")).isEqualTo(vm.spec());
        assertThat(ledger.reserved()).as(where("reservation at rest")).isEqualTo(vm.spec());
        assertThat(guest.accepted().orElse(vm.spec()))
                .as(where("what the guest has accepted, at rest"))
                .isEqualTo(vm.spec());
    }

    private void run(Instant end) {
        while (!events.isEmpty() && events.peek().at().isBefore(end)) {
            Event event = events.poll();
            now = event.at();
            core.record(!now.isBefore(recordedFrom), now);
            event.run().run();
            checkPromise();
            act();
            checkPromise();
            core.takeStep().ifPresent(steps::add);
        }
        now = end;
    }

    private void checkPromise() {
        Resources reach = vm.reach(onTheirWay);
        Resources usable = core.state().effectivePermit(now).orElse(Resources.NONE);
        assertThat(reach.exceeds(ledger.reserved()))
                .as(() -> where("reserved " + ledger.reserved() + " below what the VM may come to use " + reach))
                .isFalse();
        assertThat(usable.exceeds(ledger.reserved()))
                .as(() -> where("reserved " + ledger.reserved() + " below the permit " + usable))
                .isFalse();
        Resources least = vm.least(onTheirWay);
        Resources accepted = guest.accepted().orElse(Resources.NONE);
        assertThat(accepted.exceeds(least))
                .as(() -> where("the VM may come to have " + least + ", below what its guest accepted, " + accepted))
                .isFalse();
    }

    private String where(String what) {
        return "seed " + seed + " at " + now + ": " + what + " (core " + core.state() + ")";
    }

    /** Starts what is offered; actions that the start of another one changed are not offered any more. */
    private void act() {
        ActionSet actions = core.nextActions(now);
        assertThat(core.nextActions(now)).as(() -> where("requesting twice")).isEqualTo(actions);
        actions.pluginRequest().ifPresent(this::request);
        actions.neonVmRequest().ifPresent(this::send);
        actions.monitorUpscale().ifPresent(this::upscale);
        actions.monitorDownscale().ifPresent(this::downscale);
        timer.ifPresent(events::remove);
        timer = core.nextActions(now).waitFor().map(rest -> in(rest, () -> {}));
    }

    private void request(ActionSet.PluginRequest request) {
        if (!core.nextActions(now).pluginRequest().equals(Optional.of(request))) {
            return;
        }
        core.schedulerStarting(now, request.target());
        long mine = ++requestId;
        long number = ++seq;
        in(TIMEOUT, () -> {
            if (mine == requestId) {
                requestId++;
                core.schedulerFailed(now);
            }
        });
        deliver(() -> ledger.request(number, request.target(), !faults || random.nextBoolean())
                .ifPresent(permit -> deliver(() -> {
                    if (mine == requestId) {
                        requestId++;
                        core.schedulerSuccess(now, permit, Optional.empty(), request.targetRevision());
                    }
                })));
    }

    private void send(ActionSet.NeonVmRequest offered) {
        Optional<ActionSet.NeonVmRequest> still = core.nextActions(now).neonVmRequest();
        if (!still.equals(Optional.of(offered))
                || !core.neonVmStarting(
                        now, offered.target(), offered.targetRevision().revision())) {
            return;
        }
        long mine = ++patch;
        if (faults && random.nextInt(8) == 0) {
            in(delay(), () -> answered(mine, () -> core.neonVmFailed(now)));
            return;
        }
        in(TIMEOUT, () -> answered(mine, () -> core.neonVmInDoubt(now)));
        var sent = new LossyVm.Patch(offered.target(), offered.targetRevision().revision(), fence, ++lastFence);
        onTheirWay.add(sent);
        int copies = faults ? List.of(0, 1, 1, 1, 2).get(random.nextInt(5)) : 1;
        long lastMs = 0;
        for (int i = 0; i < copies; i++) {
            Duration delay = delay();
            lastMs = Math.max(lastMs, delay.toMillis());
            in(delay, () -> arrives(mine, sent));
        }
        in(Duration.ofMillis(lastMs), () -> onTheirWay.remove(sent));
    }

    private void arrives(long mine, LossyVm.Patch sent) {
        if (vm.apply(sent)) {
            changed();
            deliver(() -> answered(mine, () -> {
                fence = sent.nextFence();
                core.neonVmSuccess(now);
            }));
            return;
        }
        Resources size = vm.spec();
        long current = vm.fence();
        deliver(() -> answered(mine, () -> {
            fence = current;
            core.neonVmConflict(now, size);
        }));
    }

    private void answered(long mine, Runnable outcome) {
        if (mine == patch) {
            patch++;
            outcome.run();
        }
    }

    private void reconcile() {
        vm.reconcile(now, faults);
        changed();
    }

    /** The object's newest version travels to the core; one that was overtaken is dropped. */
    private void changed() {
        int mine = ++version;
        VmInfo observed = vm.observed();
        deliver(() -> {
            if (mine > observedVersion) {
                observedVersion = mine;
                core.vmUpdated(observed, now);
            }
        });
    }

    private void scrape() {
        if (faults && random.nextInt(3) > 0) {
            return;
        }
        double load = faults ? random.nextDouble(4) : 1.0;
        core.systemMetrics(new SystemMetrics(load, load, load * (3L << 30), 0), now);
        if (faults && random.nextInt(6) == 0) {
            core.upscaleRequested(now, false, true);
        }
    }

    /** At times the session goes on, and only the core loses it for a while. */
    private void reconnect() {
        if (!faults && core.state().approved().isPresent()) {
            return;
        }
        resize++;
        core.monitorReset(now);
        boolean goesOn = faults && random.nextInt(3) == 0;
        if (!goesOn) {
            guest.connected();
        }
        in(Duration.ofMillis(1 + random.nextInt(300)), () -> {
            if (goesOn) {
                core.monitorFound(now);
            } else {
                core.monitorActive(now);
            }
        });
    }

    private void upscale(ActionSet.MonitorUpscale offered) {
        if (core.nextActions(now).monitorUpscale().equals(Optional.of(offered))) {
            core.monitorUpscaleStarting(now, offered.target());
            resize(offered.target(), false, outcome -> {
                switch (outcome) {
                    case ACCEPTED -> core.monitorUpscaleSuccess(now);
                    case DENIED, FAILED -> core.monitorUpscaleFailed(now);
                }
            });
        }
    }

    private void downscale(ActionSet.MonitorDownscale offered) {
        if (core.nextActions(now).monitorDownscale().equals(Optional.of(offered))) {
            core.monitorDownscaleStarting(now, offered.target());
            resize(offered.target(), true, outcome -> {
                switch (outcome) {
                    case ACCEPTED -> core.monitorDownscaleAllowed(now, offered.targetRevision());
                    case DENIED -> core.monitorDownscaleDenied(now, offered.targetRevision());
                    case FAILED -> core.monitorDownscaleFailed(now);
                }
            });
        }
    }

    /** The request or its reply may be lost; it is given up after a while, and may be handled after that. */
    private void resize(Resources size, boolean down, Consumer<LossyGuest.Outcome> replied) {
        long mine = ++resize;
        long session = guest.session();
        Consumer<LossyGuest.Outcome> once = outcome -> {
            if (mine == resize) {
                resize++;
                replied.accept(outcome);
            }
        };
        in(TIMEOUT, () -> once.accept(LossyGuest.Outcome.FAILED));
        if (faults && random.nextInt(12) == 0) {
            return;
        }
        in(Duration.between(now, guest.handles(now, faults)), () -> {
            if (session == guest.session()) {
                var outcome = guest.handle(size, down, vm.least(onTheirWay), faults);
                if (!faults || random.nextInt(8) > 0) {
                    in(Duration.ofMillis(1 + random.nextInt(50)), () -> once.accept(outcome));
                }
            }
        });
    }

    /** Arrives late, or twice, or never. */
    private void deliver(Runnable arrival) {
        int copies = faults ? List.of(0, 1, 1, 1, 1, 2).get(random.nextInt(6)) : 1;
        for (int i = 0; i < copies; i++) {
            in(delay(), arrival);
        }
    }

    private Duration delay() {
        boolean slow = faults && random.nextInt(4) == 0;
        return Duration.ofMillis(1 + random.nextInt(slow ? 5_000 : 200));
    }

    private void every(Duration period, Runnable run) {
        in(period, () -> {
            run.run();
            every(period, run);
        });
    }

    private Event in(Duration delay, Runnable run) {
        var event = new Event(now.plus(delay), order++, run);
        events.add(event);
        return event;
    }
}
