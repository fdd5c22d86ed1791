package io.sluice.cluster.roles;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/**
 * Goal: the trail finds each kind of write that a superseded runner could make, and reports nothing that is correct.
 */
class FenceTrailTest {
    private final FenceTrail trail = new FenceTrail();

    private void write(String size, String fence) {
        trail.add("db", new FenceTrail.Write(size, fence));
    }

    @Test
    void claimsAndPatchesUnderTheirFencesAreRight() {
        write("1/1", "");
        write("1/1", "a+7/0");
        write("2/2", "a+7/1");
        write("2/2", "a+7/1");
        write("2/2", "b+9/0");
        write("1/1", "b+9/1");

        assertThat(trail.wrong()).isEmpty();
        assertThat(trail.patches()).isEqualTo(2);
        assertThat(trail.takeovers()).isEqualTo(2);
    }

    @Test
    void aWriteOfASupersededRunnerIsFound() {
        write("1/1", "a+7/0");
        write("1/1", "b+9/0");
        write("2/2", "a+7/1");

        assertThat(trail.wrong()).containsExactly("db was written by a+7/1, which b+9/0 had superseded");
    }

    @Test
    void aSizePastTheFenceIsFound() {
        write("1/1", "a+7/0");
        write("2/2", "a+7/0");

        assertThat(trail.wrong()).containsExactly("db was sized in spite of its fence a+7/0: 2/2");
    }

    @Test
    void aSizeUnderAFenceThatWasNeverClaimedIsFound() {
        write("1/1", "a+7/0");
        write("2/2", "b+9/1");

        assertThat(trail.wrong()).containsExactly("db was sized by b+9/1 while fence a+7/0 was current");
    }

    @Test
    void anOlderFenceIsFound() {
        write("1/1", "a+7/3");
        write("1/1", "a+7/2");

        assertThat(trail.wrong()).containsExactly("db got an older fence: a+7/2 after a+7/3");
    }
}
