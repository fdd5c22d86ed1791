package io.sluice.placement.core.elastic;

import io.sluice.units.Resources;
import java.util.Collection;
import java.util.Optional;

/** Room of nodes, as a plan sees it. Nothing changes it; each change is another room. */
public interface ElasticRoom {
    /** How many more members of a job fit together, at most so many. */
    int fits(ElasticJob job, int most);

    /** The same after that many members of a job took room; as many as fit. */
    ElasticRoom taking(ElasticJob job, int members);

    /** The same after that many members of a job left, beside those that leave anyway. */
    ElasticRoom releasing(ElasticJob job, int members);

    /** The same after some members of a job became smaller. */
    ElasticRoom shrinking(Collection<ElasticMember> members, Resources size);

    /** The same after a member became larger; empty where its node has no room for that. */
    Optional<ElasticRoom> enlarging(ElasticMember member, Resources size);
}
