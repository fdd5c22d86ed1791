package io.sluice.pressure.core;

import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.pressure.Given;
import io.sluice.pressure.core.actions.MigrationKey;
import java.time.Instant;

/** What has to be true in the {@link SmallWorld} at the instant of each action. */
final class WorldRules {
    private WorldRules() {}

    static void begun(SmallWorld world, MigrationKey key, WorldVm vm, String roomOn, Instant lastEnd) {
        var live = world.objects.values().stream()
                .filter(object -> object.ours && object.live())
                .toList();
        expect(world, vm.marked(), key + " was begun without a mark");
        var held = world.ledger.holds.get(HoldRoom.forMigration(Given.NAMESPACE, key.name()));
        expect(world, held != null && held.node().equals(roomOn), key + " was begun without room on " + roomOn);
        expect(
                world,
                live.stream().noneMatch(object -> object.vm.equals(vm.name)),
                key + " is the second of " + vm.name);
        expect(world, live.size() < SmallWorld.RULES.maxConcurrent(), key + " is above the limit of all migrations");
        expect(
                world,
                live.stream()
                                .filter(object -> object.sourceNode.equals(vm.node))
                                .count()
                        < SmallWorld.RULES.maxConcurrentPerNode(),
                key + " is above the limit of " + vm.node);
        expect(
                world,
                lastEnd == null || !world.now.isBefore(lastEnd.plus(SmallWorld.RULES.cooldown())),
                key + " was begun within the cooldown since " + lastEnd);
    }

    static void unmarked(SmallWorld world, UnmarkMigrating request) {
        expect(
                world,
                world.objects.values().stream()
                        .noneMatch(object -> object.live() && object.attempt.equals(request.attempt())),
                request + " was unmarked while it migrates");
    }

    private static void expect(SmallWorld world, boolean holds, String breach) {
        if (!holds) {
            world.breaches.add(world.now + " " + breach);
        }
    }
}
