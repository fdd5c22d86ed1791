package io.sluice.agent.core.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.core.revision.ActionRevision;
import io.sluice.agent.core.revision.ReachedRevision;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Drives a core through a scenario by hand: each frame sets the time, passes events, and checks the offered actions.
 */
final class Scenario {
    static final Resources UNIT = new Resources(250, 1L << 30);
    static final Instant START = Instant.parse("2026-11-21T00:00:00Z");

    private final ScalingCore core;
    private Instant now = START;
    private ActionRevision request = new ActionRevision(Revision.ZERO, START);
    private ActionRevision requestedGuest = request;
    private Revision patched = Revision.ZERO;
    private Resources min;
    private Resources max;

    private Scenario(CoreConfig config, VmInfo vm) {
        core = new ScalingCore(config, vm);
        min = vm.min();
        max = vm.max();
    }

    /** A VM of so many compute units, which its status shows, between 1 and 16 of them. */
    static Scenario of(int units) {
        return of(CoreConfig.DEFAULTS, units);
    }

    static Scenario of(CoreConfig config, int units) {
        return new Scenario(config, vm(cu(units), Optional.of(cu(units)), Optional.empty()));
    }

    static Scenario of(CoreConfig config, VmInfo vm) {
        return new Scenario(config, vm);
    }

    static Resources cu(int units) {
        return UNIT.times(units);
    }

    static VmInfo vm(Resources using, Optional<Resources> status, Optional<ReachedRevision> reached) {
        return new VmInfo(cu(1), cu(16), using, UNIT.memoryBytes(), ScalingOverrides.NONE, reached, status);
    }

    static CoreConfig with(PermitSafety safety, ConfirmationMode confirmBy, int maxStepCu) {
        CoreConfig usual = CoreConfig.DEFAULTS;
        return new CoreConfig(
                usual.computeUnit(),
                usual.scaling(),
                usual.requestTick(),
                usual.schedulerRetryWait(),
                usual.deniedRetryWait(),
                usual.neonVmRetryWait(),
                usual.monitorRetryWait(),
                usual.deniedDownscaleCooldown(),
                usual.requestedUpscaleValid(),
                safety,
                usual.permitValidFor(),
                confirmBy,
                usual.confirmTimeout(),
                maxStepCu);
    }

    static Duration seconds(double seconds) {
        return Duration.ofMillis(Math.round(seconds * 1_000));
    }

    ScalingCore core() {
        return core;
    }

    Instant now() {
        return now;
    }

    Scenario at(double seconds) {
        now = START.plus(seconds(seconds));
        return this;
    }

    ActionSet next() {
        return core.nextActions(now);
    }

    /** Metrics that ask for so many compute units. */
    Scenario load(int units) {
        double load = 0.9 * 0.25 * units;
        core.systemMetrics(new SystemMetrics(load, load, 0, 0), now);
        return this;
    }

    Scenario requests(int units) {
        return requests(cu(units));
    }

    Scenario requests(Resources target) {
        var offered = next().pluginRequest().orElseThrow();
        assertThat(offered.target()).isEqualTo(target);
        request = offered.targetRevision();
        core.schedulerStarting(now, target);
        return this;
    }

    Scenario granted(int units) {
        assertThat(core.schedulerSuccess(now, cu(units), Optional.empty(), request))
                .isTrue();
        return this;
    }

    /** The first request, which reports to the scheduler what the VM uses. */
    Scenario introduced(int units) {
        return requests(units).granted(units);
    }

    Scenario patches(int units) {
        var offered = next().neonVmRequest().orElseThrow();
        assertThat(offered.target()).isEqualTo(cu(units));
        patched = offered.targetRevision().revision();
        assertThat(core.neonVmStarting(now, offered.target(), patched)).isTrue();
        return this;
    }

    Scenario patched(int units) {
        patches(units).core.neonVmSuccess(now);
        return this;
    }

    /** The VM's object shows this size, and the last patch's revision as reached. */
    Scenario settledAt(int units) {
        return shows(cu(units), patched);
    }

    Scenario shows(Resources status, Revision reached) {
        return observes(Optional.of(status), Optional.of(new ReachedRevision(reached, now)));
    }

    /** The VM's object has other bounds from now on. */
    Scenario bounds(int least, int most) {
        min = cu(least);
        max = cu(most);
        return observes(Optional.empty(), Optional.empty());
    }

    private Scenario observes(Optional<Resources> status, Optional<ReachedRevision> reached) {
        core.vmUpdated(new VmInfo(min, max, cu(1), UNIT.memoryBytes(), ScalingOverrides.NONE, reached, status), now);
        return this;
    }

    Scenario requestFails() {
        core.schedulerFailed(now);
        return this;
    }

    /** The patch under way is applied to the VM's object. */
    Scenario patchLands() {
        core.neonVmSuccess(now);
        return this;
    }

    Scenario patchFails() {
        core.neonVmFailed(now);
        return this;
    }

    Scenario monitorConnects() {
        core.monitorActive(now);
        return this;
    }

    Scenario monitorFound() {
        core.monitorFound(now);
        return this;
    }

    Scenario guestRequestsUpscale() {
        core.upscaleRequested(now, false, true);
        return this;
    }

    Scenario guestConfirms() {
        core.monitorUpscaleSuccess(now);
        return this;
    }

    Scenario guestUpscaleFailed() {
        core.monitorUpscaleFailed(now);
        return this;
    }

    Scenario guestDidNotAnswer() {
        core.monitorDownscaleFailed(now);
        return this;
    }

    /** Checks the desired size. */
    Scenario goals(int units) {
        assertThat(next().desired()).isEqualTo(cu(units));
        return this;
    }

    Scenario uses(int units) {
        assertThat(core.using()).isEqualTo(cu(units));
        return this;
    }

    Revision lastPatch() {
        return patched;
    }

    Scenario downscalesGuest(int units) {
        var offered = next().monitorDownscale().orElseThrow();
        assertThat(offered.target()).isEqualTo(cu(units));
        requestedGuest = offered.targetRevision();
        core.monitorDownscaleStarting(now, offered.target());
        return this;
    }

    Scenario guestAllows() {
        core.monitorDownscaleAllowed(now, requestedGuest);
        return this;
    }

    Scenario guestRefuses() {
        core.monitorDownscaleDenied(now, requestedGuest);
        return this;
    }

    Scenario reportsGuest(int units) {
        var offered = next().monitorUpscale().orElseThrow();
        assertThat(offered.target()).isEqualTo(cu(units));
        core.monitorUpscaleStarting(now, offered.target());
        return this;
    }

    Scenario offersNothing() {
        var offered = next();
        assertThat(offered.pluginRequest()).isEmpty();
        assertThat(offered.neonVmRequest()).isEmpty();
        assertThat(offered.monitorUpscale()).isEmpty();
        assertThat(offered.monitorDownscale()).isEmpty();
        return this;
    }

    Scenario waits(double seconds) {
        assertThat(next().waitFor()).contains(seconds(seconds));
        return this;
    }
}
