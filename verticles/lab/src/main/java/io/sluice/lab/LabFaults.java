package io.sluice.lab;

import io.sluice.lab.migration.core.MigrationFault;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What goes wrong in the lab, on request; nothing does by itself. Each holds until {@link #heal}. Every method may be
 * called from any thread, and before the lab is deployed.
 */
public final class LabFaults {
    private final Map<String, MigrationFault> migrations = new ConcurrentHashMap<>();
    private final AtomicReference<Optional<MigrationFault>> next = new AtomicReference<>(Optional.empty());
    private final Set<String> stuck = ConcurrentHashMap.newKeySet();
    private final Set<String> refusing = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> failing = new ConcurrentHashMap<>();

    LabFaults() {}

    /** This goes wrong with every migration of a VM, those under way too. */
    public void migrations(String vm, MigrationFault fault) {
        migrations.put(vm, fault);
    }

    /** This goes wrong with the next migration that is begun, of whichever VM, and with that one until its end. */
    public void nextMigration(MigrationFault fault) {
        next.set(Optional.of(fault));
    }

    /** The controller applies no new size to a VM: its status stays what it is. */
    public void statusStuck(String vm) {
        stuck.add(vm);
    }

    /** The monitor in a VM's guest vetoes whenever it is asked to shrink, from half a second on. */
    public void guestRefuses(String vm) {
        refusing.add(vm);
    }

    /** The API answers each write to a VM's object, its status apart, with this HTTP status and does nothing. */
    public void patchesFail(String vm, int status) {
        failing.put(LabPaths.vm(vm), status);
    }

    /** Nothing goes wrong with a VM any more. */
    public void heal(String vm) {
        failing.remove(LabPaths.vm(vm));
        migrations.remove(vm);
        stuck.remove(vm);
        refusing.remove(vm);
    }

    /** Takes what was asked for the next migration: that one has begun. */
    public Optional<MigrationFault> takeNext() {
        return next.getAndSet(Optional.empty());
    }

    /** What goes wrong with each migration of a VM. */
    public Optional<MigrationFault> ofMigrations(String vm) {
        return Optional.ofNullable(migrations.get(vm));
    }

    /** What is answered to a write to an object; 0 where it is taken. */
    public int answerToWrite(String path) {
        return failing.getOrDefault(path, 0);
    }

    /** Whether a VM's new sizes are ignored. */
    public boolean isStuck(String vm) {
        return stuck.contains(vm);
    }

    /** Whether a VM's guest refuses to shrink. */
    public boolean refusesToShrink(String vm) {
        return refusing.contains(vm);
    }
}
