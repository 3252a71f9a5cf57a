import Testing

@testable import Taffrail

@Suite struct CivilTimeTests {
    @Test func `a day exists if its seconds convert back to it`() {
        for year in Int64(1896)...2104 {
            for month in Int64(0)...13 {
                for day in Int64(0)...32 {
                    let date = CivilTime(year: year, month: month, day: day)
                    let isDay = (1...12).contains(month) && CivilTime(secondsSince1970: date.secondsSince1970) == date
                    if date.exists != isDay { Issue.record("\(date)") }
                }
            }
        }
    }
}
