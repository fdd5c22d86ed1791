package io.sluice.agent.core.scaling;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Drives a core through a story by hand: each frame sets the time, says what happened, and looks at what is offered.
 */
final class Movie {
    static final Resources UNIT = new Resources(250, 1L << 30);
    static final Instant START = Instant.parse("2026-11-21T00:00:00Z");

    private final ScalingCore core;
    private Instant now = START;
    private ActionRevision asked = new ActionRevision(Revision.ZERO, START);
    private ActionRevision askedGuest = asked;
    private Revision patched = Revision.ZERO;
    private Resources min;
    private Resources max;

    private Movie(CoreConfig config, VmInfo vm) {
        core = new ScalingCore(config, vm);
        min = vm.min();
        max = vm.max();
    }

    /** A VM of so many compute units, which its status shows, between 1 and 16 of them. */
    static Movie of(int units) {
        return of(CoreConfig.DEFAULTS, units);
    }

    static Movie of(CoreConfig config, int units) {
        return new Movie(config, vm(cu(units), Optional.of(cu(units)), Optional.empty()));
    }

    static Movie of(CoreConfig config, VmInfo vm) {
        return new Movie(config, vm);
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

    Movie at(double seconds) {
        now = START.plus(seconds(seconds));
        return this;
    }

    ActionSet next() {
        return core.nextActions(now);
    }

    /** Metrics that ask for so many compute units. */
    Movie load(int units) {
        double load = 0.9 * 0.25 * units;
        core.systemMetrics(new SystemMetrics(load, load, 0, 0), now);
        return this;
    }

    Movie asks(int units) {
        return asks(cu(units));
    }

    Movie asks(Resources target) {
        var offered = next().pluginRequest().orElseThrow();
        assertThat(offered.target()).isEqualTo(target);
        asked = offered.targetRevision();
        core.schedulerStarting(now, target);
        return this;
    }

    Movie granted(int units) {
        assertThat(core.schedulerSuccess(now, cu(units), Optional.empty(), asked))
                .isTrue();
        return this;
    }

    /** The first contact, in which the scheduler learns what the VM uses. */
    Movie introduced(int units) {
        return asks(units).granted(units);
    }

    Movie patches(int units) {
        var offered = next().neonVmRequest().orElseThrow();
        assertThat(offered.target()).isEqualTo(cu(units));
        patched = offered.targetRevision().revision();
        assertThat(core.neonVmStarting(now, offered.target(), patched)).isTrue();
        return this;
    }

    Movie patched(int units) {
        patches(units).core.neonVmSuccess(now);
        return this;
    }

    /** The VM's object shows this size, and the last patch's revision as reached. */
    Movie settledAt(int units) {
        return shows(cu(units), patched);
    }

    Movie shows(Resources status, Revision reached) {
        return sees(Optional.of(status), Optional.of(new ReachedRevision(reached, now)));
    }

    /** The VM's object has other bounds from now on. */
    Movie bounds(int least, int most) {
        min = cu(least);
        max = cu(most);
        return sees(Optional.empty(), Optional.empty());
    }

    private Movie sees(Optional<Resources> status, Optional<ReachedRevision> reached) {
        core.vmUpdated(new VmInfo(min, max, cu(1), UNIT.memoryBytes(), ScalingOverrides.NONE, reached, status), now);
        return this;
    }

    Movie questionFails() {
        core.schedulerFailed(now);
        return this;
    }

    /** The VM's object holds what the patch under way says. */
    Movie patchLands() {
        core.neonVmSuccess(now);
        return this;
    }

    Movie patchFails() {
        core.neonVmFailed(now);
        return this;
    }

    Movie monitorConnects() {
        core.monitorActive(now);
        return this;
    }

    Movie guestCries() {
        core.upscaleRequested(now, false, true);
        return this;
    }

    Movie guestKnows() {
        core.monitorUpscaleSuccess(now);
        return this;
    }

    Movie guestDidNotHear() {
        core.monitorUpscaleFailed(now);
        return this;
    }

    Movie guestDidNotAnswer() {
        core.monitorDownscaleFailed(now);
        return this;
    }

    /** What the VM should come to be, whatever stands in the way. */
    Movie wants(int units) {
        assertThat(next().desired()).isEqualTo(cu(units));
        return this;
    }

    Movie uses(int units) {
        assertThat(core.using()).isEqualTo(cu(units));
        return this;
    }

    Revision lastPatch() {
        return patched;
    }

    Movie asksGuest(int units) {
        var offered = next().monitorDownscale().orElseThrow();
        assertThat(offered.target()).isEqualTo(cu(units));
        askedGuest = offered.targetRevision();
        core.monitorDownscaleStarting(now, offered.target());
        return this;
    }

    Movie guestAllows() {
        core.monitorDownscaleAllowed(now, askedGuest);
        return this;
    }

    Movie guestRefuses() {
        core.monitorDownscaleDenied(now, askedGuest);
        return this;
    }

    Movie tellsGuest(int units) {
        var offered = next().monitorUpscale().orElseThrow();
        assertThat(offered.target()).isEqualTo(cu(units));
        core.monitorUpscaleStarting(now, offered.target());
        return this;
    }

    Movie offersNothing() {
        var offered = next();
        assertThat(offered.pluginRequest()).isEmpty();
        assertThat(offered.neonVmRequest()).isEmpty();
        assertThat(offered.monitorUpscale()).isEmpty();
        assertThat(offered.monitorDownscale()).isEmpty();
        return this;
    }

    Movie waits(double seconds) {
        assertThat(next().waitFor()).contains(seconds(seconds));
        return this;
    }
}
