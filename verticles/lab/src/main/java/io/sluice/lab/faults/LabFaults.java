package io.sluice.lab.faults;

import io.sluice.lab.api.LabPaths;
import io.sluice.lab.guest.GuestFaults;
import io.sluice.lab.migration.core.MigrationFault;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The faults of the lab, on request; none occurs by itself. Each lasts until {@link #heal}. Every method may be called
 * from any thread, also before the lab is deployed.
 */
public final class LabFaults {
    private final Map<String, MigrationFault> migrations = new ConcurrentHashMap<>();
    private final AtomicReference<Optional<MigrationFault>> next = new AtomicReference<>(Optional.empty());
    private final Set<String> stuck = ConcurrentHashMap.newKeySet();
    private final Set<String> refusing = ConcurrentHashMap.newKeySet();
    private final Set<String> withoutMonitor = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> failing = new ConcurrentHashMap<>();

    public LabFaults() {}

    /** Sets a fault for every migration of a VM, including those under way. */
    public void migrations(String vm, MigrationFault fault) {
        migrations.put(vm, fault);
    }

    /** Sets a fault for the next migration that begins, of any VM, until its end. */
    public void nextMigration(MigrationFault fault) {
        next.set(Optional.of(fault));
    }

    /** The controller applies no new size to a VM: its status does not change. */
    public void statusStuck(String vm) {
        stuck.add(vm);
    }

    /** The monitor in a VM's guest denies each downscale, from at most half a second after this call on. */
    public void guestRefuses(String vm) {
        refusing.add(vm);
    }

    /** The monitor in a VM's guest has no session and takes no connection. */
    public void monitorDies(String vm) {
        withoutMonitor.add(vm);
    }

    /**
     * The API server answers each write to a VM's object, except to its status, with this HTTP status and does nothing.
     */
    public void patchesFail(String vm, int status) {
        failing.put(LabPaths.vm(vm), status);
    }

    /** The API server answers each Binding of a pod with this HTTP status and does nothing. */
    public void bindsFail(String pod, int status) {
        failing.put(binding(pod), status);
    }

    /** Bindings of a pod are accepted again. */
    public void bindsSucceed(String pod) {
        failing.remove(binding(pod));
    }

    private static String binding(String pod) {
        return LabPaths.pod(pod) + "/binding";
    }

    /** Ends all faults of a VM. */
    public void heal(String vm) {
        failing.remove(LabPaths.vm(vm));
        migrations.remove(vm);
        stuck.remove(vm);
        refusing.remove(vm);
        withoutMonitor.remove(vm);
    }

    /** Takes the fault of the next migration: that migration has begun. */
    public Optional<MigrationFault> takeNext() {
        return next.getAndSet(Optional.empty());
    }

    /** The fault of each migration of a VM. */
    public Optional<MigrationFault> ofMigrations(String vm) {
        return Optional.ofNullable(migrations.get(vm));
    }

    /** The HTTP status that answers a write to an object; 0 if the write is accepted. */
    public int answerToWrite(String path) {
        return failing.getOrDefault(path, 0);
    }

    /** Whether a VM's new sizes are ignored. */
    public boolean isStuck(String vm) {
        return stuck.contains(vm);
    }

    /** The faults of a VM's guest. */
    public GuestFaults ofGuest(String vm) {
        return new GuestFaults() {
            @Override
            public boolean refusesToShrink() {
                return refusing.contains(vm);
            }

            @Override
            public boolean monitorIsDead() {
                return withoutMonitor.contains(vm);
            }
        };
    }
}
