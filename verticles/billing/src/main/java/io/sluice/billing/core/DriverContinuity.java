package io.sluice.billing.core;

import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tracks for each driver whether changes of its VMs are received. A driver counts once its watch was proven, or once it
 * has a VM that is billed. It counts no more if it is silent and a full list has no VM of it.
 */
public final class DriverContinuity {
    private final Duration staleAfter;
    private final Map<String, ObservationContinuity> drivers = new TreeMap<>();
    private Optional<Instant> resumed = Optional.empty();
    private Optional<Instant> listedAt = Optional.empty();
    private boolean relistWanted;

    /** @param staleAfter the silence after which changes count as missed */
    public DriverContinuity(Duration staleAfter) {
        this.staleAfter = staleAfter;
    }

    /** An earlier process received changes of these drivers' VMs until then. */
    public void resume(Instant receivedUntil, Collection<String> known) {
        resumed = Optional.of(receivedUntil);
        known.forEach(this::add);
    }

    private ObservationContinuity add(String driver) {
        return drivers.computeIfAbsent(
                driver,
                first -> new ObservationContinuity(staleAfter, listedAt.isEmpty() ? resumed : Optional.empty()));
    }

    /** The drivers that count, by name; a copy. */
    public Set<String> drivers() {
        return drivers.keySet().stream()
                .filter(driver -> drivers.get(driver).counts())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private Stream<ObservationContinuity> counting() {
        return drivers.values().stream().filter(ObservationContinuity::counts);
    }

    /** Why changes are not received; empty while those of all drivers are. */
    public Optional<Gap.Cause> missing() {
        boolean isKnown = false;
        for (var driver : drivers.values()) {
            if (driver.counts() && driver.missing().isPresent()) {
                return driver.missing();
            }
            isKnown |= driver.counts();
        }
        return isKnown
                ? Optional.empty()
                : drivers.values().stream()
                        .flatMap(driver -> driver.missing().stream())
                        .findFirst()
                        .or(() -> Optional.of(Gap.Cause.RESTART));
    }

    /** Why changes of a driver's VMs are not received; empty while they are. */
    public Optional<Gap.Cause> missing(String driver) {
        return Optional.ofNullable(drivers.get(driver))
                .map(ObservationContinuity::missing)
                .orElse(Optional.of(Gap.Cause.RESTART));
    }

    /** Whether no changes of any driver's VMs are missed. */
    public boolean isWell() {
        return missing().isEmpty();
    }

    /** Whether no changes of a driver's VMs are missed. */
    public boolean isWell(String driver) {
        return missing(driver).isEmpty();
    }

    /** The last instant up to which changes of all drivers were received; empty before there was one. */
    public Optional<Instant> until() {
        return counting()
                .flatMap(driver -> driver.until().stream())
                .min(Instant::compareTo)
                .or(() -> drivers.values().stream()
                        .flatMap(driver -> driver.until().stream())
                        .max(Instant::compareTo))
                .or(() -> resumed);
    }

    /** The last instant up to which changes of a driver's VMs were received. */
    public Optional<Instant> until(String driver) {
        return Optional.ofNullable(drivers.get(driver)).flatMap(ObservationContinuity::until);
    }

    /** An observation of a VM was received. */
    public void named(VmId vm, boolean billed) {
        if (billed) {
            add(vm.driver());
        }
        Optional.ofNullable(drivers.get(vm.driver())).ifPresent(driver -> driver.named(vm, billed));
    }

    /** A VM is gone. */
    public void struck(VmId vm) {
        Optional.ofNullable(drivers.get(vm.driver())).ifPresent(driver -> driver.struck(vm));
    }

    /** A full list is complete. */
    public void listed(Instant now) {
        listedAt = Optional.of(now);
        drivers.values().forEach(driver -> driver.listed(now));
    }

    /** The silent drivers of which the last full list has no VM. */
    public List<String> abandoned(Instant now) {
        return drivers.keySet().stream()
                .filter(driver -> drivers.get(driver).isAbandoned(now))
                .toList();
    }

    /** A silent driver had no VM in the full list of this instant. */
    public void abandon(String driver, Instant now) {
        drivers.get(driver).abandon(now);
    }

    /** Advances the time, also when nothing is received. */
    public void notice(Instant now) {
        drivers.values().forEach(driver -> driver.notice(now));
    }

    /** The watch on a driver's VMs is up to date. Returns whether a full list has arrived after changes were missed. */
    public boolean watched(String driver, Instant now) {
        boolean isNew = !drivers.containsKey(driver);
        var its = add(driver);
        its.watched(now);
        if (isNew) {
            listedAt.filter(at -> Duration.between(at, now).compareTo(staleAfter) <= 0)
                    .ifPresent(its::listed);
        }
        if (listedAt.isPresent()) {
            its.requestList();
        }
        notice(now);
        return its.isCaughtUp();
    }

    /** All changes of a driver's VMs until then were received, unless some are missed. */
    public void received(String driver, Instant now) {
        if (isWell(driver)) {
            drivers.get(driver).received(now);
        }
    }

    /** Ends the time of missed changes of a driver, and returns those of its VMs that exist. */
    public Set<VmId> goOn(String driver) {
        return add(driver).goOn();
    }

    /** Requests a full list. */
    public void requestRelist() {
        relistWanted = true;
    }

    /** Whether a full list is needed. The call resets it. */
    public boolean takeRelistWanted() {
        boolean requests = relistWanted;
        relistWanted = false;
        for (var driver : drivers.values()) {
            requests |= driver.takeRelistWanted();
        }
        return requests;
    }
}
