package io.sluice.ledger.core.histories;

import static org.assertj.core.api.Assertions.assertThat;

/** What is true in a {@link MigrationWorld} after each step. */
final class MigrationRules {
    private MigrationRules() {}

    /** Whatever copies arrive: a VM that migrates is marked, and one that stays is not. */
    private static void attempt(MigrationWorld world, String where) {
        var source = world.states.get(MigrationWorld.FROM).reservations().find(world.vm.pod);
        boolean marked =
                source.filter(reservation -> reservation.status().migrating()).isPresent();
        switch (world.stage) {
            case STAYS -> assertThat(marked).as("%s; marked", where).isFalse();
            case HELD -> assertThat(isHeld(world)).as("%s; held", where).isTrue();
            case BEGUN, LANDED -> assertThat(marked).as("%s; marked", where).isTrue();
            case SWITCHED, MOVED -> {}
        }
    }

    private static boolean isHeld(MigrationWorld world) {
        return world.states
                .get(MigrationWorld.TO)
                .reservations()
                .find(MigrationWorld.HOLDER)
                .isPresent();
    }

    static void check(MigrationWorld world, int step) {
        long from = world.reserved(MigrationWorld.FROM, "vm-on-" + MigrationWorld.FROM);
        long to = Math.max(
                world.reserved(MigrationWorld.TO, "target-" + world.tries),
                world.reserved(MigrationWorld.TO, MigrationWorld.HOLDER));
        long needed = world.vm.mayUse(world.now);
        var where = String.format(
                "seed %d step %d %s, last %s: %s may use %d; reserved %d and %d",
                world.seed, step, world.stage, world.what, world.vm.node, needed, from, to);
        assertThat(Math.max(from, to)).as(where).isGreaterThanOrEqualTo(needed);
        long there = world.neighbours.stream().mapToLong(one -> one.using).sum()
                + (world.vm.node.equals(MigrationWorld.TO) ? world.vm.using : 0);
        if (world.stage == MigrationWorld.Stage.STAYS) {
            assertThat(isHeld(world)).as("%s; held for no attempt", where).isFalse();
        }
        if (world.held && !world.lost) {
            attempt(world, where);
            assertThat(world.vm.node.equals(MigrationWorld.FROM) ? from : to)
                    .as(where)
                    .isGreaterThanOrEqualTo(needed);
            assertThat(there).as("%s; in use", where).isLessThanOrEqualTo(MigrationWorld.SIZE.milliCpu());
        }
        long known =
                world.vm.node.equals(MigrationWorld.TO) && !world.isObservedThere() ? there - world.vm.using : there;
        assertThat(world.states.get(MigrationWorld.TO).sums().reserved().milliCpu())
                .as("%s; in all", where)
                .isGreaterThanOrEqualTo(known);
    }
}
